"""Where a text that was left out is quoted, however it is written there.

In other case, with other blanks or with other forms of the same letters it is the same text.
"""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

SHORTEST = 4  # characters; a shorter text is found where it stands alone as written, not within words


@dataclass(frozen=True)
class _Folded:
    """A text as it is compared, and from which character of the text each of its own comes."""

    text: str
    places: tuple[int, ...]


def folded(text: str, *, case: bool = True) -> str:
    """Return TEXT as it is compared, without CASE: forms of a letter as one (NFKC), blanks as one, nothing unseen."""
    return _folded(text, case=case).text


@functools.lru_cache(maxsize=64)
def _folded(text: str, *, case: bool) -> _Folded:
    made: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        if unicodedata.category(char) in ("Cf", "Cn", "Co") or (unicodedata.category(char) == "Cc" and char < " "):
            char = " " if char.isspace() else ""
        # decomposed, so that what is one character in one text and two in the other is the same two
        forms = unicodedata.normalize("NFKD", char)
        forms = unicodedata.normalize("NFKD", forms.casefold()) if case else forms
        for form in forms:
            one = " " if form.isspace() else form
            if one != " " or (made and made[-1] != " "):
                made.append(one)
                places.append(place)
    while made and made[-1] == " ":
        made.pop()
        places.pop()
    return _Folded("".join(made), tuple(places))


def replaced(text: str, marks: Mapping[str, str]) -> str:
    """Return TEXT with each text that MARKS names, the longest first, replaced by its mark wherever it is quoted."""
    for withheld in sorted(marks, key=len, reverse=True):
        text = _replaced(text, withheld, marks[withheld])
    return text


def _replaced(text: str, withheld: str, mark: str) -> str:
    short = len(withheld) < SHORTEST
    wanted, here = folded(withheld, case=not short), _folded(text, case=not short)
    if not wanted:
        return text
    if wanted == here.text:
        return mark
    if short and (len(withheld) < 2 or (withheld.isascii() and withheld.islower())):  # HIV, as written; not "an"
        return text
    made, done = [], 0
    for begin in _found(here.text, wanted, whole=short):
        start, end = here.places[begin], here.places[begin + len(wanted) - 1] + 1
        if start >= done:
            made += [text[done:start], mark]
            done = end
    return "".join([*made, text[done:]])


def _found(text: str, wanted: str, *, whole: bool) -> Iterator[int]:
    """Yield where WANTED begins in TEXT; with WHOLE only where it is no part of a word or a number."""
    begin = text.find(wanted)
    while begin >= 0:
        before, after = text[:begin][-1:], text[begin + len(wanted) :]
        joined = after[:1].isalnum() or (after[:1] in ".,_" and after[1:2].isalnum())
        if not whole or not (before.isalnum() or (before and before in "_.,") or joined):
            yield begin
        begin = text.find(wanted, begin + 1)


def first_quoted(withheld: Iterable[str], value: Any) -> str | None:
    """Return the first text of WITHHELD that VALUE quotes: a text, or any text of an object or a list; None if none."""
    everything = "\n".join(folded(text) for text in _texts(value))  # no folded text has a line feed
    return next((text for text in withheld if folded(text) in everything), None)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)
