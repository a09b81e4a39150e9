"""The kernel's source of chance is splitmix64, so that seeds mean the same everywhere and for ever."""

from __future__ import annotations

from quiltwork.rules.chance import below, draw, source_of


def test_a_source_draws_the_numbers_that_splitmix64_is_known_for() -> None:
    source = source_of(1234567)
    assert [int(draw(source[0])) for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_numbers_below_a_bound_come_from_the_upper_half_of_the_draw() -> None:
    # 6457827717110365317 is 0.35 of 2**64, 3203168211198807973 is 0.17, 9817491932198370423 is 0.53.
    source = source_of(1234567)
    assert [int(below(source[0], 100)) for _ in range(3)] == [35, 17, 53]


def test_every_seed_has_a_source_of_its_own() -> None:
    sources = source_of(1, 2, -1)
    assert len({int(draw(sources[i])) for i in range(3)}) == 3
