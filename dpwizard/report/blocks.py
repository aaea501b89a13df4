"""The blocks of a report, and their output as HTML and plain text.

A block holds text and figures, never markup.
"""

from __future__ import annotations

import base64
import itertools
import re
import textwrap
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape, unescape
from typing import Literal

from dpwizard.charts import Scene, svg, visible

COLUMNS = 80  # of plain text
NARROWEST = 6  # characters of the narrowest column of a table


@dataclass(frozen=True, kw_only=True)
class Block(ABC):
    """A part of a report."""

    @abstractmethod
    def as_html(self) -> str:
        """Return it as HTML."""


@dataclass(frozen=True, kw_only=True)
class Cover(Block):
    """The head of page one: the kind of document, its title, and a line below."""

    document: str
    right: str
    title: str
    line: str

    def as_html(self) -> str:
        top = f'<div class="head"><span>{_escaped(self.document)}</span><span>{_escaped(self.right)}</span></div>'
        return f'{top}<h1>{_escaped(self.title)}</h1><div class="line">{_escaped(self.line)}</div>\n'


@dataclass(frozen=True, kw_only=True)
class Letterhead(Block):
    """The letterhead above page one, with a PNG logo, and the note that it is unverified."""

    name: str
    lines: tuple[str, ...]
    claim: str
    logo: bytes | None = None
    shape: float = 1.0  # of the logo: width divided by height

    def as_html(self) -> str:
        text = "".join(f"<br>{_escaped(line)}" for line in self.lines)
        png = base64.b64encode(self.logo or b"").decode("ascii")
        logo = f'<img alt="{_escaped(self.name)}" src="data:image/png;base64,{png}">' if png else ""
        claim = f'<span class="quiet">{_escaped(self.claim)}</span>'
        return f'<div class="letters">{logo}<span><b>{_escaped(self.name)}</b>{text}</span>{claim}</div>\n'


@dataclass(frozen=True, kw_only=True)
class Dots:
    """100 dots with a number FILLED, under a caption; for the chances with or without the release."""

    caption: str
    filled: int
    published: bool


@dataclass(frozen=True, kw_only=True)
class Promise(Block):
    """The box of page one: the main privacy guarantee in one sentence, as dots, and a few words beside them."""

    heading: str
    sentence: str
    dots: tuple[Dots, ...] = ()
    beside: str = ""

    def as_html(self) -> str:
        sentences = (*(each.caption for each in self.dots), self.beside)
        beside = "".join(f"<span>{_escaped(words)}</span>" for words in sentences)
        return f'<div class="promise">{_escaped(self.heading)}<b>{_escaped(self.sentence)}</b>{beside}</div>\n'


@dataclass(frozen=True, kw_only=True)
class Statement:
    """A label with its text: an emphasised part, the main part, and a note."""

    label: str
    text: str
    strong: str = ""
    aside: str = ""


@dataclass(frozen=True, kw_only=True)
class Statements(Block):
    """The statements of page one; size in points."""

    rows: tuple[Statement, ...]
    size: float = 10.5

    def as_html(self) -> str:
        rows = "".join(f"<dt>{_escaped(row.label)}</dt><dd>{_statement(row)}</dd>" for row in self.rows)
        return f"<dl>{rows}</dl>\n"


@dataclass(frozen=True, kw_only=True)
class Heading(Block):
    """A section (level 1) or a part of one (level 2)."""

    text: str
    level: Literal[1, 2] = 1

    def as_html(self) -> str:
        return f"<h{self.level + 1}>{_escaped(self.text)}</h{self.level + 1}>\n"


@dataclass(frozen=True, kw_only=True)
class Paragraph(Block):
    """Running text; "code" is a command to type, "quiet" a note, "typed" a text by the officer."""

    text: str
    style: Literal["plain", "quiet", "code", "typed"] = "plain"

    def as_html(self) -> str:
        if self.style == "code":
            return f"<pre>{_escaped(self.text)}</pre>\n"
        return f'<p class="{self.style}">{_escaped(self.text)}</p>\n'


@dataclass(frozen=True, kw_only=True)
class Items(Block):
    """A list of sentences that belong together."""

    items: tuple[str, ...]

    def as_html(self) -> str:
        return "<ul>" + "".join(f"<li>{_escaped(item)}</li>" for item in self.items) + "</ul>\n"


@dataclass(frozen=True, kw_only=True)
class Pairs(Block):
    """Labels with their values, one a line."""

    rows: tuple[tuple[str, str], ...]

    def as_html(self) -> str:
        rows = "".join(f"<dt>{_escaped(label)}</dt><dd>{_escaped(value)}</dd>" for label, value in self.rows)
        return f"<dl>{rows}</dl>\n"


@dataclass(frozen=True, kw_only=True)
class Table(Block):
    """A table with a header row; `numbers` are the right-aligned columns."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    widths: tuple[float, ...] = ()  # shares of the text width
    numbers: tuple[int, ...] = ()
    caption: str = ""
    marked: tuple[int, ...] = ()  # highlighted rows

    def as_html(self) -> str:
        caption = f'<p class="quiet">{_escaped(self.caption)}</p>' if self.caption else ""
        kinds = [' class="n"' if index in self.numbers else "" for index in range(len(self.columns))]
        names = zip(self.columns, kinds, strict=True)
        head = "".join(f'<th scope="col"{kind}>{_escaped(name)}</th>' for name, kind in names)
        body = "".join(
            ('<tr class="marked">' if index in self.marked else "<tr>")
            + "".join(f"<td{kind}>{_escaped(cell)}</td>" for cell, kind in zip(row, kinds, strict=True))
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

    def as_html(self) -> str:
        table = Table(columns=self.scene.columns, rows=self.scene.rows).as_html()
        caption = f"<figcaption>{_escaped(self.caption)}</figcaption>" if self.caption else ""
        details = f"<details><summary>{_escaped(self.scene.title)}</summary>{table}</details>"
        return f"<figure>{svg(self.scene)}{caption}{details}</figure>\n"


@dataclass(frozen=True, kw_only=True)
class Note(Block):
    """A notice: a draft, an exception, a contradiction."""

    text: str
    tone: Literal["plain", "warning"] = "plain"

    def as_html(self) -> str:
        return f'<p class="note {self.tone}">{_escaped(self.text)}</p>\n'


@dataclass(frozen=True, kw_only=True)
class Signatures(Block):
    """Lines to sign on, each with role, name and position."""

    lines: tuple[tuple[str, str, str], ...]

    def as_html(self) -> str:
        lines = "".join(
            f'<div><span class="quiet">{_escaped(role)}</span><br>{_escaped(name)}<br>{_escaped(position)}</div>'
            for role, name, position in self.lines
        )
        return f'<div class="sign">{lines}</div>\n'


@dataclass(frozen=True, kw_only=True)
class PageBreak(Block):
    """A page break, before page two or PART of the technical annex (A1 to A5)."""

    part: str = ""

    def as_html(self) -> str:
        return f'<p class="quiet">{_escaped(self.part)}</p>\n' if self.part else ""


# ---------------------------------------------------------------------------------------- text


def text(blocks: Iterable[Block]) -> str:
    """Return BLOCKS as plain text of 80 columns, except for long commands and words; figures become text and table."""
    return visible("\n\n".join("\n".join(_lines(block)) for block in blocks)).strip("\n")


def _lines(block: Block) -> Iterator[str]:
    match block:
        case Paragraph(style="code"):
            yield textwrap.indent(block.text, "    ")
        case Heading(level=1):
            yield from ("", block.text, "-" * min(COLUMNS, len(block.text)))
        case Pairs():
            yield from _table(block.rows)
        case Statements():
            yield from _table([(row.label, " ".join((row.strong, row.text, row.aside)).strip()) for row in block.rows])
        case Table():
            yield from _wrapped(block.caption)
            yield from _table([block.columns, *block.rows], block.numbers)
        case Figure(scene=scene):
            yield from (f"[{scene.title}]", *_wrapped(scene.alternative), "", *_table([scene.columns, *scene.rows]))
        case _:
            for piece in re.split(r"(?:<[^>]*>)+", block.as_html()):
                yield from _wrapped(unescape(piece).strip())


def _wrapped(paragraph: str, width: int = COLUMNS) -> list[str]:
    lines = (textwrap.wrap(line, width, break_long_words=False) or [""] for line in paragraph.split("\n"))
    return [piece for pieces in lines for piece in pieces] if paragraph else []


def _table(rows: Sequence[Sequence[str]], numbers: Sequence[int] = ()) -> Iterator[str]:
    """Yield ROWS in columns as wide as their longest entry, narrowed to 80 characters in all."""
    room = COLUMNS - 2 * (len(rows[0]) - 1)
    widths = [max(len(line) for cell in column for line in cell.split("\n")) for column in zip(*rows, strict=True)]
    while sum(widths) > room and max(widths) > NARROWEST:
        widths[widths.index(max(widths))] -= 1
    for row in rows:
        cells = [_wrapped(cell, width) for cell, width in zip(row, widths, strict=True)]
        for texts in itertools.zip_longest(*cells, fillvalue=""):
            aligned = (each.rjust if at in numbers else each.ljust for at, each in enumerate(texts))
            yield "  ".join(align(width) for align, width in zip(aligned, widths, strict=True)).rstrip()


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
    """Return BLOCKS as a self-contained HTML page without scripts; all texts are escaped."""
    shown = tuple(blocks)
    body = "".join(block.as_html() for block in shown)
    logo = any(isinstance(block, Letterhead) and block.logo is not None for block in shown)
    allowed = f"default-src 'none'; style-src 'unsafe-inline'{'; img-src data:' if logo else ''}"
    policy = f'<meta http-equiv="Content-Security-Policy" content="{allowed}">'
    head = (
        f'<!DOCTYPE html>\n<html lang="{_escaped(language)}"><head><meta '
        f'charset="utf-8">{policy}<title>{_escaped(title)}</title>'
    )
    return f"{head}<style>{STYLE}</style></head>\n<body><main>\n{body}</main></body></html>\n"


def _escaped(words: str) -> str:
    return escape(visible(words))


def _statement(row: Statement) -> str:
    strong = f"<b>{_escaped(row.strong)}</b> " if row.strong else ""
    aside = f' <span class="quiet">{_escaped(row.aside)}</span>' if row.aside else ""
    return f"{strong}{_escaped(row.text)}{aside}"
