"""What the pages of a typeset PDF say: each piece of text with its size, in the order it is drawn.

Only the plain pages that this program typesets are read: text in fonts that say which characters they show, lines and
areas. Whatever a page could hide words with (invisible text, pictures, clipped text) is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dpwizard.errors import FileProblem
from dpwizard.report import pdf_objects
from dpwizard.signing.pdf_document import DEEPEST, Document

MOST_PAGES = 2_000
MOST_DRAWN = 8_000_000  # bytes of content, each form counted as often as it is drawn
A_FORM = 100_000  # bytes that drawing a form counts for beside its own: one may draw itself
_TOKEN = re.compile(
    rb"\s*(?:(?P<number>[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+))|(?P<name>/[^\s/<>\[\]()%]*)|<(?P<hex>[0-9A-Fa-f\s]*)>"
    rb"|(?P<string>\()|(?P<mark><<|>>|\[|\])|(?P<operator>[A-Za-z'\"*][A-Za-z0-9*]*))",
    re.DOTALL,
)
_BRACKET = re.compile(rb"\\.|[()]", re.DOTALL)
_ESCAPE = re.compile(rb"\\(?:([0-7]{1,3})|(.))", re.DOTALL)
_ESCAPED = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}
_SECTION = re.compile(rb"begin(bfchar|bfrange)\s(.*?)\send\1", re.DOTALL)
_HEX = re.compile(rb"<([0-9A-Fa-f]*)>")
# what draws text, lines and areas, and nothing else: no pictures but forms, no shading, no inline image
OPERATORS = frozenset(
    b"q Q cm cs CS scn SCN gs BT ET Tr Tf Tm Td Tj TJ Tc Tw Ts Tz TL w J j M d m l c v y h re f f* S s B B* b b* n "
    b"W W* BDC BMC EMC Do i ri".split()
)


@dataclass(frozen=True, kw_only=True)
class Piece:
    """Text that is drawn as one piece of a page's content, in one size."""

    page: int
    text: str
    size: float


def tokens(stream: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield what a content stream is made of, each with its kind; raises FileProblem for what is none of these."""
    position = 0
    stream = stream.rstrip()
    while position < len(stream):
        found = _TOKEN.match(stream, position)
        if found is None or found.lastgroup is None:
            raise FileProblem("draws its pages in a way that cannot be read", "pdf", "")
        position = found.end() if found.lastgroup != "string" else _end_of_string(stream, found.end())
        kind = found.lastgroup
        yield kind, stream[found.start(kind) : position] if kind == "string" else found[kind]


def _end_of_string(stream: bytes, position: int) -> int:
    """Return where the string that opened before POSITION ends; brackets within it come in pairs or are escaped."""
    depth = 1
    while depth:
        found = _BRACKET.search(stream, position)
        if found is None:
            raise FileProblem("draws its pages in a way that cannot be read", "pdf", "")
        depth += {b"(": 1, b")": -1}.get(found[0], 0)
        position = found.end()
    return position


def pages(document: Document) -> tuple[Any, ...]:
    """Return the pages of DOCUMENT in order."""
    found: list[Any] = []

    def walk(node: Any, depth: int) -> None:
        if depth > DEEPEST or len(found) > MOST_PAGES:
            raise FileProblem("holds too many pages", "pdf", "")
        for index in range(len(node["/Kids"])):
            kid = node["/Kids"][index]
            walk(kid, depth + 1) if "/Kids" in kid else found.append(kid)

    walk(document.catalogue["/Pages"], 0)
    return tuple(found)


def pieces(document: Document) -> tuple[Piece, ...]:
    """Return what the pages of DOCUMENT say; raises FileProblem where they could show what is not read here."""
    left = [MOST_DRAWN]
    return tuple(
        piece
        for number, page in enumerate(pages(document))
        for piece in _of_stream(number, page, page["/Contents"], left)
    )


def _of_stream(number: int, page: Any, stream: Any, left: list[int]) -> Iterator[Piece]:
    """Yield the pieces of one stream: a page's own, or a form that is drawn on it."""
    data = bytes(stream.data)
    left[0] -= len(data) + 1
    if left[0] < 0:
        raise FileProblem("holds too many pages", "pdf", "")
    resources: Any = (stream if "/Resources" in stream else page)["/Resources"]
    named: Any = pdf_objects.held(resources, "/Font", {})
    fonts = {str(name).encode(): _characters(named[name]) for name in named}
    stack: list[bytes] = []
    font: dict[bytes, str] = {}
    size, said, last = 0.0, "", 0.0
    for kind, value in tokens(data):
        if kind != "operator":
            stack.append(value if kind != "hex" else b"<" + value)
            continue
        if value not in OPERATORS or (value == b"Tr" and stack[-1:] != [b"0"]):
            raise FileProblem("draws its pages in a way that could hide words", "pdf", "")
        if value in (b"BDC", b"BMC", b"EMC"):
            if said:
                yield Piece(page=number, text=said, size=last)
            said = ""
        elif value == b"Tf":
            font, size = fonts[stack[-2]], float(stack[-1])
        elif value in (b"Tj", b"TJ"):
            said, last = said + "".join(_shown(each, font) for each in stack if each[:1] in b"(<"), size
        elif value == b"ET":
            said = f"{said} " if said else said
        elif value == b"Do":
            drawn: Any = resources["/XObject"][stack[-1].decode("ascii")]
            if drawn["/Subtype"] != "/Form":
                raise FileProblem("holds a picture", "pdf", "")
            left[0] -= A_FORM
            yield from _of_stream(number, page, drawn, left)
        stack.clear()
    if said:
        yield Piece(page=number, text=said, size=last)


def _shown(spelled: bytes, font: dict[bytes, str]) -> str:
    raw = bytes.fromhex(spelled[1:].decode("ascii")) if spelled[:1] == b"<" else _ESCAPE.sub(_raw, spelled[1:-1])
    return "".join(font[raw[at : at + 2]] for at in range(0, len(raw), 2))


def _raw(match: re.Match[bytes]) -> bytes:
    return bytes([int(match[1], 8) & 255]) if match[1] else _ESCAPED.get(match[2], match[2])


def _characters(font: Any) -> dict[bytes, str]:
    """Return the characters that a font shows, by their codes of two bytes, as its own table of them says."""
    found: dict[bytes, str] = {}
    for section in _SECTION.finditer(bytes(font["/ToUnicode"].data)):
        codes = [bytes.fromhex(each.decode("ascii")) for each in _HEX.findall(section[2])]
        if section[1] == b"bfchar":
            found.update((code, text.decode("utf-16-be")) for code, text in zip(codes[::2], codes[1::2], strict=True))
        else:
            raise FileProblem("names its characters in a way that is not read here", "pdf", "")
    return found
