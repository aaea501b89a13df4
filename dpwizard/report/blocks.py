"""The blocks a report is made of, and the two plain forms they can always be read in: text and HTML.

A block holds text and figures, never markup. What a block says is data to every writer.
"""

from __future__ import annotations

import base64
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal

from dpwizard.charts import Scene, svg, visible

COLUMNS = 80
LABEL = 26  # columns of a label in plain text
NARROWEST = 6  # columns of a table


@dataclass(frozen=True, kw_only=True)
class Cover:
    """The head of page one: what kind of document, its title, and one line under it."""

    document: str
    right: str
    title: str
    line: str


@dataclass(frozen=True, kw_only=True)
class Letterhead:
    """Whose letterhead it is, small above page one, its logo a PNG; and that nobody checked it."""

    name: str
    lines: tuple[str, ...]
    claim: str
    logo: bytes | None = None
    shape: float = 1.0  # of the logo: how many times as wide as high


@dataclass(frozen=True, kw_only=True)
class Dots:
    """So many of 100 dots filled, under a caption that says the same; with or without the table that is published."""

    caption: str
    filled: int
    published: bool


@dataclass(frozen=True, kw_only=True)
class Promise:
    """The box of page one: what the decision promises, in one sentence, as dots, and in a few words beside them."""

    heading: str
    sentence: str
    dots: tuple[Dots, ...] = ()
    beside: str = ""


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
class Statements:
    """What page one states, line by line; size in points."""

    rows: tuple[Statement, ...]
    size: float = 10.5


@dataclass(frozen=True, kw_only=True)
class Heading:
    """A section (level 1) or a part of one (level 2)."""

    text: str
    level: Literal[1, 2] = 1


@dataclass(frozen=True, kw_only=True)
class Paragraph:
    """Running text; "code" is a command to type, "quiet" an aside, "typed" what an officer wrote."""

    text: str
    style: Literal["plain", "quiet", "code", "typed"] = "plain"


@dataclass(frozen=True, kw_only=True)
class Items:
    """A list of sentences that belong together."""

    items: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Pairs:
    """Labels with their values, one a line."""

    rows: tuple[tuple[str, str], ...]
    size: float = 10.0  # points


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table with one header row; `numbers` are the columns set flush right."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    widths: tuple[float, ...] = ()  # shares of the text width
    numbers: tuple[int, ...] = ()
    caption: str = ""
    marked: tuple[int, ...] = ()  # rows that stand out


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A drawing with its alternative text and data table (both in the scene), and a caption."""

    scene: Scene
    caption: str = ""
    number: int = 0  # 0: the summary's own figure


@dataclass(frozen=True, kw_only=True)
class Note:
    """Something to notice: a draft, an exception, a contradiction."""

    text: str
    tone: Literal["plain", "warning"] = "plain"


@dataclass(frozen=True, kw_only=True)
class Signatures:
    """Lines to sign on: for each the role, and who is meant to sign."""

    lines: tuple[tuple[str, str], ...]


@dataclass(frozen=True, kw_only=True)
class PageBreak:
    """The next block begins a page: page two, or that part of the technical annex (A1 to A5) which PART names."""

    part: str = ""


Block = (
    Cover
    | Letterhead
    | Promise
    | Statements
    | Heading
    | Paragraph
    | Items
    | Pairs
    | Table
    | Figure
    | Note
    | Signatures
    | PageBreak
)


# ---------------------------------------------------------------------------------------- text


def text(blocks: Iterable[Block]) -> str:
    """Return BLOCKS as plain text of at most 80 columns, without a last line break; a figure is its words and table."""
    lines: list[str] = []
    for block in blocks:
        lines += _lines(block)
    return visible("\n".join(lines)).strip("\n")


def _lines(block: Block) -> list[str]:
    match block:
        case Cover():
            head = (
                f"{block.document}{block.right.rjust(max(0, COLUMNS - len(block.document)))}"
                if block.right
                else block.document
            )
            return [
                head,
                "",
                *_wrapped(block.title),
                "=" * min(COLUMNS, max(1, len(block.title))),
                *_wrapped(block.line),
                "",
            ]
        case Letterhead():
            return [line for said in (block.name, *block.lines, f"({block.claim})", "") for line in _wrapped(said)]
        case Promise():
            said = (block.heading, block.sentence, *(each.caption for each in block.dots), block.beside)
            return [*(line for piece in said if piece for line in _wrapped(piece)), ""]
        case Statements():
            return [*(line for row in block.rows for line in _pair(row.label, row.whole)), ""]
        case Heading(level=1):
            return ["", block.text, "-" * min(COLUMNS, len(block.text)), ""]
        case Heading():
            return [*_wrapped(block.text), ""]
        case Paragraph(style="code"):
            return [*(f"    {line}" for line in block.text.split("\n")), ""]
        case Paragraph():
            return [*_wrapped(block.text), ""]
        case Items():
            return [*(line for item in block.items for line in _wrapped(item, first="- ")), ""]
        case Pairs():
            return [*(line for label, value in block.rows for line in _pair(label, value)), ""]
        case Table():
            caption = _wrapped(block.caption) if block.caption else ()
            return [*caption, *_table(block.columns, block.rows, block.numbers), ""]
        case Figure():
            scene = block.scene
            return [f"[{scene.title}]", *_wrapped(scene.alternative), "", *_table(scene.columns, scene.rows, ()), ""]
        case Note():
            return [*_wrapped(block.text, first="! " if block.tone == "warning" else "* "), ""]
        case Signatures():
            return [*(f"{role + ' ' + name:<40} ______________________________" for role, name in block.lines), ""]
        case PageBreak():
            return ["", f"[{block.part}]", ""] if block.part else []


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


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[int]) -> list[str]:
    """Return a table in columns as wide as their longest entries, narrowed until 80 columns hold them all."""
    if not columns:
        return []
    everything = [columns, *rows]
    widths = [max(len(line) for row in everything for line in row[index].split("\n")) for index in range(len(columns))]
    room = COLUMNS - 2 * (len(columns) - 1)
    widths = [min(width, room) for width in widths]
    while sum(widths) > room and max(widths) > NARROWEST:
        widths[widths.index(max(widths))] -= 1
    lines: list[str] = []
    for number, row in enumerate(everything):
        cells = [
            [piece for line in cell.split("\n") for piece in (textwrap.wrap(line, widths[i]) or [""])]
            for i, cell in enumerate(row)
        ]
        for index in range(max(len(cell) for cell in cells)):
            texts = [cell[index] if index < len(cell) else "" for cell in cells]
            aligned = [
                text.rjust(width) if i in numbers else text.ljust(width)
                for i, (text, width) in enumerate(zip(texts, widths, strict=True))
            ]
            lines.append("  ".join(aligned).rstrip())
        if number == 0:
            lines.append("  ".join("-" * width for width in widths))
    return lines


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
    body = "".join(_element(block) for block in shown)
    logo = any(isinstance(block, Letterhead) and block.logo is not None for block in shown)
    allowed = f"default-src 'none'; style-src 'unsafe-inline'{'; img-src data:' if logo else ''}"
    policy = f'<meta http-equiv="Content-Security-Policy" content="{allowed}">'
    head = (
        f'<!DOCTYPE html>\n<html lang="{_said(language)}"><head><meta '
        f'charset="utf-8">{policy}<title>{_said(title)}</title>'
    )
    return f"{head}<style>{STYLE}</style></head>\n<body><main>\n{body}</main></body></html>\n"


def _inline(png: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(png).decode('ascii')}"


def _said(words: str) -> str:
    return escape(visible(words))


def _element(block: Block) -> str:
    match block:
        case Cover():
            top = f'<div class="head"><span>{_said(block.document)}</span><span>{_said(block.right)}</span></div>'
            return f'{top}<h1>{_said(block.title)}</h1><div class="line">{_said(block.line)}</div>\n'
        case Letterhead():
            said = "".join(f"<br>{_said(line)}" for line in block.lines)
            logo = "" if block.logo is None else f'<img alt="{_said(block.name)}" src="{_inline(block.logo)}">'
            claim = f'<span class="quiet">{_said(block.claim)}</span>'
            return f'<div class="letters">{logo}<span><b>{_said(block.name)}</b>{said}</span>{claim}</div>\n'
        case Promise():
            said = "".join(f"<span>{_said(each.caption)}</span>" for each in block.dots)
            beside = f"{said}<span>{_said(block.beside)}</span>"
            return f'<div class="promise">{_said(block.heading)}<b>{_said(block.sentence)}</b>{beside}</div>\n'
        case Statements():
            rows = "".join(f"<dt>{_said(row.label)}</dt><dd>{_statement(row)}</dd>" for row in block.rows)
            return f"<dl>{rows}</dl>\n"
        case Heading():
            return f"<h{block.level + 1}>{_said(block.text)}</h{block.level + 1}>\n"
        case Paragraph(style="code"):
            return f"<pre>{_said(block.text)}</pre>\n"
        case Paragraph():
            return f'<p class="{block.style}">{_said(block.text)}</p>\n'
        case Items():
            return "<ul>" + "".join(f"<li>{_said(item)}</li>" for item in block.items) + "</ul>\n"
        case Pairs():
            rows = "".join(f"<dt>{_said(label)}</dt><dd>{_said(value)}</dd>" for label, value in block.rows)
            return f"<dl>{rows}</dl>\n"
        case Table():
            caption = f'<p class="quiet">{_said(block.caption)}</p>' if block.caption else ""
            return caption + _html_table(block.columns, block.rows, block.numbers, block.marked)
        case Figure():
            table = _html_table(block.scene.columns, block.scene.rows, ())
            caption = f"<figcaption>{_said(block.caption)}</figcaption>" if block.caption else ""
            details = f"<details><summary>{_said(block.scene.title)}</summary>{table}</details>"
            return f"<figure>{svg(block.scene)}{caption}{details}</figure>\n"
        case Note():
            return f'<p class="note {block.tone}">{_said(block.text)}</p>\n'
        case Signatures():
            lines = "".join(
                f'<div><span class="quiet">{_said(role)}</span><br>{_said(name)}</div>' for role, name in block.lines
            )
            return f'<div class="sign">{lines}</div>\n'
        case PageBreak():
            return f'<p class="quiet">{_said(block.part)}</p>\n' if block.part else ""


def _statement(row: Statement) -> str:
    strong = f"<b>{_said(row.strong)}</b> " if row.strong else ""
    aside = f' <span class="quiet">{_said(row.aside)}</span>' if row.aside else ""
    return f"{strong}{_said(row.text)}{aside}"


def _html_table(
    columns: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[int], marked: Sequence[int] = ()
) -> str:
    kinds = [' class="n"' if index in numbers else "" for index in range(len(columns))]
    head = "".join(f'<th scope="col"{kind}>{_said(name)}</th>' for name, kind in zip(columns, kinds, strict=True))
    body = "".join(
        ('<tr class="marked">' if index in marked else "<tr>")
        + "".join(f"<td{kind}>{_said(cell)}</td>" for cell, kind in zip(row, kinds, strict=True))
        + "</tr>"
        for index, row in enumerate(rows)
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>\n"
