"""Text from files, made safe to print: on one line, without control or invisible characters."""

from __future__ import annotations

import re
import unicodedata

JOINERS = "\u200c\u200d"  # needed to write some languages; they do not change the direction of writing
_DOUBTFUL = re.compile(r"[^\x20-\x7e]")  # all others are printable


def on_one_line(text: str) -> str:
    """Return TEXT with each unprintable character as its code point.

    These are line breaks, control characters, marks of writing direction, other invisible characters, and surrogates.
    """
    return _DOUBTFUL.sub(lambda char: char[0] if is_seen(char[0]) else f"‹U+{ord(char[0]):04X}›", text)


def is_seen(char: str) -> bool:
    """Return whether a character is printable."""
    return unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp") or char in JOINERS


def escaped_json(text: str) -> str:
    """Return the JSON TEXT with unprintable characters as JSON escapes."""
    return _DOUBTFUL.sub(lambda char: char[0] if is_seen(char[0]) else _unit(char[0]), text)


def _unit(char: str) -> str:
    units = char.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
