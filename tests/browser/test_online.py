"""Two browsers at one table: reloads, lost connections and a server that dies lose nothing."""

from __future__ import annotations

import pytest

from browser.conftest import PHONE, Guests, Server
from browser.hands import Hands

FRIENDS = [{"kind": "human", "name": "Ann"}, {"kind": "human", "remote": True}]


def seated(guests: Guests) -> tuple[Hands, Hands]:
    ann = guests.hands()
    made = ann.begin(seats=FRIENDS, edition="express")
    bob = guests.hands(PHONE, has_touch=True)
    bob.sit(made["invite"])
    ann.page.wait_for_selector("dialog.invite", state="detached")
    return ann, bob


def mover(*players: Hands) -> Hands:
    """Who has something to do."""
    while True:
        for hands in players:
            if hands.page.query_selector(".advance:enabled, .in-hand .choice[aria-disabled='false']"):
                return hands
        players[0].page.wait_for_timeout(30)


def play(*players: Hands, turns: int) -> None:
    for _ in range(turns):
        mover(*players).play_turn()


def told(hands: Hands, moves: int) -> None:
    hands.page.wait_for_function(
        "n => Number(document.querySelector('main.table')?.dataset.moves) === n", arg=moves
    )


def test_two_browsers_a_reload_and_a_spectator(guests: Guests) -> None:
    ann, bob = seated(guests)
    play(ann, bob, turns=3)
    made = ann.moves_made()
    told(bob, made)
    active = mover(ann, bob)
    active.choose()
    active.page.reload()
    active.page.wait_for_selector(".table")
    told(active, made)
    eve = guests.hands()
    ann.page.click("[aria-label='Menu']")
    ann.page.get_by_role("button", name="Links").click()
    link = ann.page.get_by_label("For those who want to watch").input_value()
    ann.page.keyboard.press("Escape")
    ann.page.wait_for_selector("dialog", state="detached")
    eve.page.goto(link)
    eve.page.wait_for_selector(".table")
    told(eve, made)
    play(ann, bob, turns=1)
    told(eve, ann.moves_made())
    assert eve.page.locator(".action-bar .advance:enabled").count() == 0


def test_a_dropped_connection_comes_back_with_what_was_missed(guests: Guests) -> None:
    ann, bob = seated(guests)
    play(ann, bob, turns=1)
    active = mover(ann, bob)
    waiting = bob if active is ann else ann
    waiting.page.context.set_offline(True)
    waiting.page.evaluate("() => window.dispatchEvent(new Event('offline'))")
    active.play_turn()
    waiting.page.context.set_offline(False)
    told(waiting, active.moves_made())
    guests.complaints.clear()


def test_a_killed_server_loses_nothing(guests: Guests, server: Server) -> None:
    ann, bob = seated(guests)
    play(ann, bob, turns=4)
    made = ann.moves_made()
    told(bob, made)
    active = mover(ann, bob)
    active.choose()
    server.kill()
    active.page.wait_for_selector(".preview.away")
    # The move is sewn while nobody listens; it is sent when the server is back, once.
    active.page.click(".action-bar .sew:enabled")
    server.start()
    told(ann, active.moves_made())
    for hands in (ann, bob):
        hands.page.wait_for_function(
            "n => Number(document.querySelector('main.table').dataset.moves) > n", arg=made
        )
    while ann.page.query_selector(".table.over") is None:
        mover_or_over = [
            h
            for h in (ann, bob)
            if h.page.query_selector(".advance:enabled, .in-hand .choice[aria-disabled='false']")
        ]
        if mover_or_over:
            mover_or_over[0].play_turn()
        else:
            ann.page.wait_for_timeout(30)
    bob.page.wait_for_selector(".table.over")
    # The refused connections while the server was away are the only complaints.
    assert all("ERR_CONNECTION_REFUSED" in c or "WebSocket" in c for c in guests.complaints)
    guests.complaints.clear()


def test_friends_agree_on_a_takeback_and_a_rematch(guests: Guests) -> None:
    ann, bob = seated(guests)
    first = mover(ann, bob)
    other = bob if first is ann else ann
    first.play_turn()
    told(other, first.moves_made())
    first.page.get_by_role("button", name="Take back").click()
    other.page.get_by_role("button", name="Yes").click()
    told(first, 0)
    told(other, 0)
    first.page.click("[aria-label='Menu']")
    first.page.get_by_role("button", name="Resign").click()
    first.page.get_by_role("button", name="Really resign?").click()
    for hands in (first, other):
        hands.page.wait_for_selector(".result")
    before = first.page.url
    first.page.get_by_role("button", name="Rematch").click()
    other.page.get_by_role("button", name="Yes").click()
    for hands in (first, other):
        hands.page.wait_for_selector(".action-bar .advance")
    assert first.page.url != before


def test_a_guest_opens_the_invitation_again_and_moves_to_another_device(guests: Guests) -> None:
    ann = guests.hands()
    made = ann.begin(seats=FRIENDS, edition="express")
    bob, stranger, phone = guests.hands(), guests.hands(), guests.hands(PHONE, has_touch=True)
    for _ in range(2):
        bob.sit(made["invite"])
        bob.page.wait_for_url(lambda url: made["invite"] not in url)
    stranger.page.goto(f"{bob.page.url.split('#')[0]}#/game/{made['invite']}")
    stranger.page.get_by_role("heading", name="This invitation has been used").wait_for()
    bob.page.click("[aria-label='Menu']")
    bob.page.get_by_role("button", name="Links").click()
    bob.page.get_by_text("Go on at another device").click()
    phone.page.goto(bob.page.get_by_label("Open this link there").input_value())
    phone.come_without_a_name()
    bob.page.get_by_role("heading", name="You play on another device now").wait_for()
    play(ann, phone, turns=2)
    told(ann, phone.moves_made())


def test_a_change_that_is_lost_is_asked_for(guests: Guests) -> None:
    ann, bob = seated(guests)
    active = mover(ann, bob)
    waiting = bob if active is ann else ann
    waiting.page.evaluate(
        """async () => {
          const { link } = await import("./js/table.js");
          const table = link.peek();
          const receive = table.receive.bind(table);
          table.receive = (message) => {
            if (message.type !== "change") return receive(message);
            table.receive = receive;
          };
          table.socket.onmessage = (event) => table.receive(JSON.parse(event.data));
        }"""
    )
    active.play_turn()
    assert waiting.moves_made() == 0
    # The next sign of life tells that something is missing.
    waiting.page.evaluate("async () => (await import('./js/table.js')).link.peek().ping()")
    told(waiting, active.moves_made())


def test_moves_that_come_while_the_page_still_loads_are_all_there(guests: Guests) -> None:
    hands = guests.hands()
    hands.page.add_init_script(
        """const own = window.fetch;
           window.fetch = async (address, ...more) => {
             if (String(address).includes('editions/express')) await new Promise((done) => { window.letGo = done; });
             return own(address, ...more);
           };"""
    )
    hands.open()
    hands.page.evaluate(
        """async () => {
             const post = async (path, body, headers) => (await fetch(path, {method: 'POST', body: JSON.stringify(body),
               headers: {'content-type': 'application/json', ...headers}})).json();
             const seats = [{kind: 'human'}, {kind: 'human'}];
             const {token} = await post('api/games', {edition: 'express', shared: true, deal: 3, seats});
             location.hash = `#/game/${token}`;
             while (!window.letGo) await new Promise((done) => setTimeout(done, 20));
             for (let version = 0; version < 3; version += 1)
               await post('api/game/moves', {version, move: '+'},
                 {authorization: `Bearer ${token}`, 'idempotency-key': `some-key-${version}`});
             await new Promise((done) => setTimeout(done, 300));
             window.letGo();
           }"""
    )
    hands.page.wait_for_selector(".table[data-version='3']")
    assert hands.moves_made() == 3


def test_a_page_without_a_connection_says_so_and_comes_back_by_itself(
    guests: Guests, tmp_path_factory: pytest.TempPathFactory
) -> None:
    server = Server(tmp_path_factory.mktemp("offline"))
    server.start()
    page = guests.page(PHONE, locale="de-DE")
    # What the browser itself says of a server that is gone is no complaint of the page.
    page.goto(server.address)
    page.wait_for_selector("html[data-ready]")
    page.wait_for_function("async () => (await navigator.serviceWorker.ready).active.state === 'activated'")
    server.stop()
    page.reload()
    page.wait_for_function("() => document.querySelector('h1')?.textContent === 'Keine Verbindung'")
    server.start()
    page.wait_for_selector("html[data-ready]")
    server.stop()
    guests.complaints.clear()
    guests.outside.clear()
