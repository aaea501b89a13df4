"""The blocks a report is made of, and the two plain forms they can always be read in: text and HTML.

A block holds text and figures, never markup, and says itself in either form. What it says is data to every writer.
"""

from __future__ import annotations

import base64
import itertools
import textwrap
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal

from dpwizard.charts import Scene, svg, visible

COLUMNS = 80
LABEL = 26  # columns of a label in plain text
NARROWEST = 6  # columns of a table


@dataclass(frozen=True, kw_only=True)
class Block(ABC):
    """A part of a report, which can be read as lines of plain text and as HTML."""

    @abstractmethod
    def as_text(self) -> list[str]:
        """Return its lines as plain text."""

    @abstractmethod
    def as_html(self) -> str:
        """Return it as HTML."""


@dataclass(frozen=True, kw_only=True)
class Cover(Block):
    """The head of page one: what kind of document, its title, and one line under it."""

    document: str
    right: str
    title: str
    line: str

    def as_text(self) -> list[str]:
        head = self.document
        if self.right:
            head += self.right.rjust(max(0, COLUMNS - len(head)))
        rule = "=" * min(COLUMNS, max(1, len(self.title)))
        return [head, "", *_wrapped(self.title), rule, *_wrapped(self.line), ""]

    def as_html(self) -> str:
        top = f'<div class="head"><span>{_said(self.document)}</span><span>{_said(self.right)}</span></div>'
        return f'{top}<h1>{_said(self.title)}</h1><div class="line">{_said(self.line)}</div>\n'


@dataclass(frozen=True, kw_only=True)
class Letterhead(Block):
    """Whose letterhead it is, small above page one, its logo a PNG; and that nobody checked it."""

    name: str
    lines: tuple[str, ...]
    claim: str
    logo: bytes | None = None
    shape: float = 1.0  # of the logo: how many times as wide as high

    def as_text(self) -> list[str]:
        return [line for said in (self.name, *self.lines, f"({self.claim})", "") for line in _wrapped(said)]

    def as_html(self) -> str:
        said = "".join(f"<br>{_said(line)}" for line in self.lines)
        png = base64.b64encode(self.logo or b"").decode("ascii")
        logo = f'<img alt="{_said(self.name)}" src="data:image/png;base64,{png}">' if png else ""
        claim = f'<span class="quiet">{_said(self.claim)}</span>'
        return f'<div class="letters">{logo}<span><b>{_said(self.name)}</b>{said}</span>{claim}</div>\n'


@dataclass(frozen=True, kw_only=True)
class Dots:
    """So many of 100 dots filled, under a caption that says the same; with or without the table that is published."""

    caption: str
    filled: int
    published: bool


@dataclass(frozen=True, kw_only=True)
class Promise(Block):
    """The box of page one: what the decision promises, in one sentence, as dots, and in a few words beside them."""

    heading: str
    sentence: str
    dots: tuple[Dots, ...] = ()
    beside: str = ""

    def as_text(self) -> list[str]:
        said = (self.heading, self.sentence, *(each.caption for each in self.dots), self.beside)
        return [*(line for piece in said if piece for line in _wrapped(piece)), ""]

    def as_html(self) -> str:
        said = (*(each.caption for each in self.dots), self.beside)
        beside = "".join(f"<span>{_said(words)}</span>" for words in said)
        return f'<div class="promise">{_said(self.heading)}<b>{_said(self.sentence)}</b>{beside}</div>\n'


@dataclass(frozen=True, kw_only=True)
class Statement:
    """A label and what is said under it: what matters first, then the rest, then an aside."""

    label: str
    text: str
    strong: str = ""
    aside: str = ""

    @property
    def whole(self) -> str:
        """Return all that is said, in one piece."""
        return " ".join(piece for piece in (self.strong, self.text, self.aside) if piece)


@dataclass(frozen=True, kw_only=True)
class Statements(Block):
    """What page one states, line by line; size in points."""

    rows: tuple[Statement, ...]
    size: float = 10.5

    def as_text(self) -> list[str]:
        return [*(line for row in self.rows for line in _pair(row.label, row.whole)), ""]

    def as_html(self) -> str:
        rows = "".join(f"<dt>{_said(row.label)}</dt><dd>{_statement(row)}</dd>" for row in self.rows)
        return f"<dl>{rows}</dl>\n"


@dataclass(frozen=True, kw_only=True)
class Heading(Block):
    """A section (level 1) or a part of one (level 2)."""

    text: str
    level: Literal[1, 2] = 1

    def as_text(self) -> list[str]:
        if self.level == 1:
            return ["", self.text, "-" * min(COLUMNS, len(self.text)), ""]
        return [*_wrapped(self.text), ""]

    def as_html(self) -> str:
        return f"<h{self.level + 1}>{_said(self.text)}</h{self.level + 1}>\n"


@dataclass(frozen=True, kw_only=True)
class Paragraph(Block):
    """Running text; "code" is a command to type, "quiet" an aside, "typed" what an officer wrote."""

    text: str
    style: Literal["plain", "quiet", "code", "typed"] = "plain"

    def as_text(self) -> list[str]:
        if self.style == "code":
            return [*(f"    {line}" for line in self.text.split("\n")), ""]
        return [*_wrapped(self.text), ""]

    def as_html(self) -> str:
        if self.style == "code":
            return f"<pre>{_said(self.text)}</pre>\n"
        return f'<p class="{self.style}">{_said(self.text)}</p>\n'


@dataclass(frozen=True, kw_only=True)
class Items(Block):
    """A list of sentences that belong together."""

    items: tuple[str, ...]

    def as_text(self) -> list[str]:
        return [*(line for item in self.items for line in _wrapped(item, first="- ")), ""]

    def as_html(self) -> str:
        return "<ul>" + "".join(f"<li>{_said(item)}</li>" for item in self.items) + "</ul>\n"


@dataclass(frozen=True, kw_only=True)
class Pairs(Block):
    """Labels with their values, one a line."""

    rows: tuple[tuple[str, str], ...]
    size: float = 10.0  # points

    def as_text(self) -> list[str]:
        return [*(line for label, value in self.rows for line in _pair(label, value)), ""]

    def as_html(self) -> str:
        rows = "".join(f"<dt>{_said(label)}</dt><dd>{_said(value)}</dd>" for label, value in self.rows)
        return f"<dl>{rows}</dl>\n"


@dataclass(frozen=True, kw_only=True)
class Table(Block):
    """A table with one header row; `numbers` are the columns set flush right."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    widths: tuple[float, ...] = ()  # shares of the text width
    numbers: tuple[int, ...] = ()
    caption: str = ""
    marked: tuple[int, ...] = ()  # rows that stand out

    def as_text(self) -> list[str]:
        lines = _wrapped(self.caption) if self.caption else []
        if self.columns:
            widths = _widths([self.columns, *self.rows])
            lines += [*_row(self.columns, widths, self.numbers), "  ".join("-" * width for width in widths)]
            lines += [line for row in self.rows for line in _row(row, widths, self.numbers)]
        return [*lines, ""]

    def as_html(self) -> str:
        caption = f'<p class="quiet">{_said(self.caption)}</p>' if self.caption else ""
        kinds = [' class="n"' if index in self.numbers else "" for index in range(len(self.columns))]
        names = zip(self.columns, kinds, strict=True)
        head = "".join(f'<th scope="col"{kind}>{_said(name)}</th>' for name, kind in names)
        body = "".join(
            ('<tr class="marked">' if index in self.marked else "<tr>")
            + "".join(f"<td{kind}>{_said(cell)}</td>" for cell, kind in zip(row, kinds, strict=True))
            + "</tr>"
            for index, row in enumerate(self.rows)
        )
        return f"{caption}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>\n"


@dataclass(frozen=True, kw_only=True)
class Figure(Block):
    """A drawing with its alternative text and data table (both in the scene), and a caption."""

    scene: Scene
    caption: str = ""
    number: int = 0  # 0: the summary's own figure

    def as_text(self) -> list[str]:
        table = Table(columns=self.scene.columns, rows=self.scene.rows)
        return [f"[{self.scene.title}]", *_wrapped(self.scene.alternative), "", *table.as_text()]

    def as_html(self) -> str:
        table = Table(columns=self.scene.columns, rows=self.scene.rows).as_html()
        caption = f"<figcaption>{_said(self.caption)}</figcaption>" if self.caption else ""
        details = f"<details><summary>{_said(self.scene.title)}</summary>{table}</details>"
        return f"<figure>{svg(self.scene)}{caption}{details}</figure>\n"


@dataclass(frozen=True, kw_only=True)
class Note(Block):
    """Something to notice: a draft, an exception, a contradiction."""

    text: str
    tone: Literal["plain", "warning"] = "plain"

    def as_text(self) -> list[str]:
        return [*_wrapped(self.text, first="! " if self.tone == "warning" else "* "), ""]

    def as_html(self) -> str:
        return f'<p class="note {self.tone}">{_said(self.text)}</p>\n'


@dataclass(frozen=True, kw_only=True)
class Signatures(Block):
    """Lines to sign on: for each the role, and who is meant to sign."""

    lines: tuple[tuple[str, str], ...]

    def as_text(self) -> list[str]:
        return [*(f"{role + ' ' + name:<40} ______________________________" for role, name in self.lines), ""]

    def as_html(self) -> str:
        lines = "".join(
            f'<div><span class="quiet">{_said(role)}</span><br>{_said(name)}</div>' for role, name in self.lines
        )
        return f'<div class="sign">{lines}</div>\n'


@dataclass(frozen=True, kw_only=True)
class PageBreak(Block):
    """The next block begins a page: page two, or that part of the technical annex (A1 to A5) which PART names."""

    part: str = ""

    def as_text(self) -> list[str]:
        return ["", f"[{self.part}]", ""] if self.part else []

    def as_html(self) -> str:
        return f'<p class="quiet">{_said(self.part)}</p>\n' if self.part else ""


# ---------------------------------------------------------------------------------------- text


def text(blocks: Iterable[Block]) -> str:
    """Return BLOCKS as plain text of at most 80 columns, without a last line break; a figure is its words and table."""
    lines = (line for block in blocks for line in block.as_text())
    return visible("\n".join(lines)).strip("\n")


def _wrapped(paragraph: str, first: str = "", indent: int = 0) -> list[str]:
    lines: list[str] = []
    for part in paragraph.split("\n"):
        pieces = textwrap.wrap(part, COLUMNS - indent - len(first)) or [""]
        starts = (first, *(" " * len(first) for _ in pieces[1:]))
        lines += [f"{' ' * indent}{start}{piece}" for start, piece in zip(starts, pieces, strict=True)]
    return lines


def _pair(label: str, value: str) -> list[str]:
    if len(value.split()) == 1 and COLUMNS - LABEL < len(value) <= COLUMNS - 4:
        return [label, f"    {value}"]  # a hash stays in one piece
    lines = _wrapped(value, indent=LABEL)
    if len(label) < LABEL - 1:
        return [label + lines[0][len(label) :], *lines[1:]]
    return [*_wrapped(label), *lines]


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    """Return the widths of a table's columns: those of the longest entries, narrowed until 80 columns hold them all."""
    room = COLUMNS - 2 * (len(rows[0]) - 1)
    lines = ([line for cell in column for line in cell.split("\n")] for column in zip(*rows, strict=True))
    widths = [min(room, max(map(len, column))) for column in lines]
    while sum(widths) > room and max(widths) > NARROWEST:
        widths[widths.index(max(widths))] -= 1
    return widths


def _row(row: Sequence[str], widths: Sequence[int], numbers: Sequence[int]) -> Iterator[str]:
    """Yield the lines of one row of a table."""
    cells = [
        [piece for line in cell.split("\n") for piece in (textwrap.wrap(line, width) or [""])]
        for cell, width in zip(row, widths, strict=True)
    ]
    for texts in itertools.zip_longest(*cells, fillvalue=""):
        aligned = (
            text.rjust(width) if i in numbers else text.ljust(width)
            for i, (text, width) in enumerate(zip(texts, widths, strict=True))
        )
        yield "  ".join(aligned).rstrip()


# ---------------------------------------------------------------------------------------- html

STYLE = """
body{font:10.5pt/1.45 Inter,Helvetica,Arial,sans-serif;color:#1B1F24;background:#FBFBF9;margin:0;\
font-variant-numeric:tabular-nums}
main{max-width:46em;margin:2em auto;padding:2em 3em;background:#fff}
h1{font-size:19pt;font-weight:600;line-height:1.2;margin:1em 0 .2em}
h2{font-size:13pt;font-weight:600;margin:2em 0 .5em}
h3{font-size:10.5pt;margin:1.4em 0 .3em}
.quiet,.line,figcaption,th,dt,summary{color:#5A626C}
.head{display:flex;justify-content:space-between;color:#5A626C;font-size:9pt}
.letters{display:flex;gap:1em;align-items:center;font-size:9pt;border-bottom:1px solid #D9DCE0;padding-bottom:.6em}
.letters img{max-height:12mm;max-width:50mm}
.letters .quiet{margin-left:auto;max-width:16em;text-align:right}
.promise{border:1px solid #D9DCE0;border-radius:8px;padding:1em 1.4em;margin:1.5em 0;color:#5A626C}
.promise b{display:block;font-size:14pt;font-weight:600;color:#1B1F24;margin:.4em 0}
.promise span{display:inline-block;margin-right:2em;color:#1B1F24}
.marked{background:#E5F5F0}
table{border-collapse:collapse;width:100%;font-size:9.5pt}
th,td{text-align:left;vertical-align:top;padding:.4em .8em .4em 0;border-bottom:1px solid #D9DCE0}
th{font-weight:400}
.n{text-align:right}
dl{display:grid;grid-template-columns:13em 1fr;margin:0}
dt,dd{padding:.4em 0;border-bottom:1px solid #D9DCE0;margin:0;white-space:pre-line;overflow-wrap:anywhere}
p{white-space:pre-line;overflow-wrap:anywhere}
pre{font-size:9pt;white-space:pre-wrap;overflow-wrap:anywhere}
figure{margin:1.5em 0}
svg{max-width:100%;height:auto}
.note{border-left:3px solid #5A626C;padding-left:1em}
.warning{border-color:#D55E00}
.sign{display:grid;grid-template-columns:1fr 1fr;gap:2em;margin-top:3em}
.sign div{border-top:1px solid #1B1F24;padding-top:.5em}
"""


def html(blocks: Iterable[Block], *, title: str, language: str = "en") -> str:
    """Return BLOCKS as one HTML page: self-contained, without scripts, every text escaped."""
    shown = tuple(blocks)
    body = "".join(block.as_html() for block in shown)
    logo = any(isinstance(block, Letterhead) and block.logo is not None for block in shown)
    allowed = f"default-src 'none'; style-src 'unsafe-inline'{'; img-src data:' if logo else ''}"
    policy = f'<meta http-equiv="Content-Security-Policy" content="{allowed}">'
    head = (
        f'<!DOCTYPE html>\n<html lang="{_said(language)}"><head><meta '
        f'charset="utf-8">{policy}<title>{_said(title)}</title>'
    )
    return f"{head}<style>{STYLE}</style></head>\n<body><main>\n{body}</main></body></html>\n"


def _said(words: str) -> str:
    return escape(visible(words))


def _statement(row: Statement) -> str:
    strong = f"<b>{_said(row.strong)}</b> " if row.strong else ""
    aside = f' <span class="quiet">{_said(row.aside)}</span>' if row.aside else ""
    return f"{strong}{_said(row.text)}{aside}"
