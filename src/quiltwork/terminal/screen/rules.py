"""The rules of an edition, and the keys, as texts for a dialog."""

from __future__ import annotations

from rich.text import Text

from quiltwork.speech import Speech
from quiltwork.terminal.rules import rules_paragraphs

KEYS = (
    ("Tab  1 2 3  +", "choose"),
    ("← ↑ ↓ →", "move"),
    ("r  R  f", "turn"),
    ("n  N", "places"),
    ("Enter", "sew"),
    ("h", "hint"),
    ("u  y", "undo"),
    ("b", "back"),
    ("v", "review"),
    ("c", "circle"),
    ("e", "rules"),
    ("s", "save"),
    ("x", "resign"),
    ("g", "new"),
    ("d", "dark"),
    ("q", "quit"),
)


def rules_text(speech: Speech) -> Text:
    """The rules in short paragraphs."""
    text = Text()
    for head, paragraph in rules_paragraphs(speech):
        text.append(f"{head}\n", style="bold")
        text.append(f"{paragraph}\n\n")
    return text


def keys_text(speech: Speech) -> Text:
    """What each key does."""
    text = Text()
    for keys, key in KEYS:
        text.append(f"{keys:<15}", style="bold")
        text.append(f"{speech.say(f'screen.key.{key}')}\n")
    text.append(f"\n{speech.say('screen.mouse')}", style="dim")
    return text
