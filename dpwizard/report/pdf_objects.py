"""Canonical PDF syntax: objects, their table and trailer, so that equal documents have equal bytes.

Only files just written by the typesetter or this program are read, never those of others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

_TOKEN = re.compile(rb"\s*(<<|>>|\[|\]|/[^\s/<>\[\]()]*|<[0-9A-Fa-f]*>|\d+ \d+ R|\(|[^\s/<>\[\]()]+)")
_OPENS, _CLOSES = (b"<<", b"["), (b">>", b"]")
_STRING_MARK = re.compile(rb"\\.|[()]", re.DOTALL)
_ESCAPED = re.compile(rb"\\(?:([0-7]{3})|(.))", re.DOTALL)
_SECTION = re.compile(rb"(\d+) (\d+)\s+")
_ENTRY = 20  # bytes of one line of a table
_COUNT = re.compile(rb"/Type ?/Pages/Count (\d+)")


class Document:
    """The objects of a PDF of this program, by number."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.table = int(content[content.rindex(b"startxref\n") + 10 :].split(b"\n")[0])
        self._places: dict[int, int] = {}
        self.trailer: dict[str, bytes] = {}
        at: int | None = self.table
        while at is not None:  # the newest table first, whose entries hide older ones
            trailer = self._read_table(at)
            self.trailer = trailer | self.trailer
            at = int(trailer["Prev"]) if "Prev" in trailer else None

    def _read_table(self, at: int) -> dict[str, bytes]:
        """Store the offsets in the table AT, and return its trailer."""
        at += len(b"xref\n")
        while head := _SECTION.match(self.content, at):
            first, count = int(head[1]), int(head[2])
            for index in range(count):
                entry = self.content[head.end() + _ENTRY * index :][:_ENTRY]
                if entry[17:18] == b"n":
                    self._places.setdefault(first + index, int(entry[:10]))
            at = head.end() + _ENTRY * count
        ends = self.content.index(b"startxref", at)
        return entries(self.content[at + len(b"trailer\n") : ends])

    def at(self, number: int) -> bytes:
        """Return the source of object NUMBER."""
        place = self._places[number]
        head = b"%d 0 obj\n" % number
        return self.content[place + len(head) : self.content.index(b"\nendobj", place)]

    def entries_at(self, number: int) -> dict[str, bytes]:
        """Return the entries of the dictionary that is object NUMBER."""
        return entries(self.at(number))


def page_count(content: bytes) -> int:
    """Return the number of pages of a PDF by the typesetter."""
    return max(int(count) for count in _COUNT.findall(content))


# ------------------------------------------------------------------------------------------------ reading


def entries(spelled: bytes) -> dict[str, bytes]:
    """Return the entries of a dictionary, with values in canonical syntax."""
    values = items(spelled)
    return {key[1:].decode("ascii"): value for key, value in zip(values[::2], values[1::2], strict=True)}


def items(spelled: bytes) -> list[bytes]:
    """Return the items of an array, or keys and values of a dictionary, in canonical syntax."""
    spellings: list[bytes] = []
    depth = 0
    for token in _tokens(spelled):
        depth -= token in _CLOSES
        if depth > 1 or (depth == 1 and token in _CLOSES):
            spellings[-1] += b" " + token
        elif depth == 1:
            spellings.append(token)
        depth += token in _OPENS
    return spellings


def words_of(spelled: bytes) -> str:
    """Decode a string encoded by `text`."""
    if spelled.startswith(b"<FEFF"):
        return bytes.fromhex(spelled[5:-1].decode("ascii")).decode("utf-16-be")
    return _ESCAPED.sub(lambda escape: bytes([int(escape[1], 8)]) if escape[1] else escape[2], spelled[1:-1]).decode(
        "ascii"
    )


def number_of(spelled: bytes) -> int:
    """Return the number of the object of a reference."""
    return int(spelled.split(b" ")[0])


def _tokens(spelled: bytes) -> Iterator[bytes]:
    at = 0
    while token := _TOKEN.match(spelled, at):
        start, at = token.start(1), token.end()
        if token[1] == b"(":
            at = _string_end(spelled, at)
        yield spelled[start:at]


def _string_end(spelled: bytes, at: int) -> int:
    """Return the end of the string that starts just before AT; parentheses in it are paired or escaped."""
    depth = 1
    while depth:
        mark = _STRING_MARK.search(spelled, at)
        if mark is None:
            raise ValueError("a string of the typesetter does not end")
        depth += {b"(": 1, b")": -1}.get(mark[0], 0)
        at = mark.end()
    return at


# ------------------------------------------------------------------------------------------------ writing


def text(words: str) -> bytes:
    """Return WORDS as a PDF string."""
    if words.isascii():
        escaped = re.sub(rb"[\\()]", rb"\\\g<0>", words.encode("ascii"))
        return b"(" + re.sub(rb"[\x00-\x1f\x7f]", lambda control: b"\\%03o" % control[0][0], escaped) + b")"
    return b"<FEFF" + words.encode("utf-16-be", "replace").hex().upper().encode() + b">"


def reference(number: int) -> bytes:
    """Return a reference to the object NUMBER."""
    return b"%d 0 R" % number


def listed(values: Iterable[bytes]) -> bytes:
    """Return an array of VALUES."""
    return b"[ " + b" ".join(values) + b" ]"


def dictionary(**values: bytes) -> bytes:
    """Return a dictionary of VALUES, in their order."""
    return b"<<\n" + b"".join(b"/%s %s\n" % (name.encode(), value) for name, value in values.items()) + b">>"


def changed(spelled: bytes, **values: bytes) -> bytes:
    """Return a dictionary with VALUES replaced, or added at its end."""
    return dictionary(**(entries(spelled) | values))


def stream(content: bytes, **values: bytes) -> bytes:
    """Return CONTENT as a stream with VALUES in its dictionary; uncompressed, as compressors differ."""
    return dictionary(**values, Length=b"%d" % len(content)) + b"\nstream\n" + content + b"\nendstream"


def section(objects: Mapping[int, bytes], length: int, **trailer: bytes) -> tuple[bytes, int]:
    """Return OBJECTS by number with table and TRAILER, to append to LENGTH bytes, and the offset of the table."""
    out = bytearray()
    places: dict[int, int] = {}
    for number in sorted(objects):
        places[number] = length + len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, objects[number])
    table = length + len(out)
    out += b"xref\n0 1\n0000000000 65535 f \n"
    for _, run in groupby(enumerate(places), key=lambda pair: pair[1] - pair[0]):
        numbers = [number for _, number in run]
        out += b"%d %d\n" % (numbers[0], len(numbers))
        out += b"".join(b"%010d 00000 n \n" % places[number] for number in numbers)
    out += b"trailer\n%s\nstartxref\n%d\n%%%%EOF\n" % (dictionary(**trailer), table)
    return bytes(out), table
