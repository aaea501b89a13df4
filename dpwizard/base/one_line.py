"""Text from a file as it can be shown: on one line, and with nothing in it that a terminal or a table obeys."""

from __future__ import annotations

import re
import unicodedata

JOINERS = "\u200c\u200d"  # letters of some languages are written with them; they turn nothing round
_DOUBTFUL = re.compile(r"[^\x20-\x7e]")  # all others are seen


def on_one_line(text: str) -> str:
    """Return TEXT with each character that is obeyed rather than seen as its code point.

    These are line breaks of every kind, control characters, those that turn the direction of writing round, other
    invisible ones, and halves of characters.
    """
    return _DOUBTFUL.sub(lambda char: char[0] if is_seen(char[0]) else f"‹U+{ord(char[0]):04X}›", text)


def is_seen(char: str) -> bool:
    """Return whether a character is shown and not obeyed."""
    return unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp") or char in JOINERS


def escaped_json(text: str) -> str:
    """Return the JSON TEXT, of equal value, with such characters inside it written as JSON writes them: backslash u."""
    return _DOUBTFUL.sub(lambda char: char[0] if is_seen(char[0]) else _unit(char[0]), text)


def _unit(char: str) -> str:
    units = char.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
