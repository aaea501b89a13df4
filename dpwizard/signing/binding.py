"""Whether the PDF says what the JSON says: what was typeset is typeset again from the JSON, and compared.

A record names the version of its document, so its pages are made again to the byte. Only the last digits of drawn
curves may differ, which another machine's arithmetic moves by less than anyone sees. Records of before that rule, and
pages that only another typesetter could make again, are compared by their figures and their texts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import Any

from dpwizard import json_text
from dpwizard.errors import DPWizardError, FileProblem, SigningProblem
from dpwizard.messages import NO_MESSAGE, Message, message
from dpwizard.records import DOCUMENT, is_record, read_record
from dpwizard.report import pdf_objects, versions
from dpwizard.resource_files import resource
from dpwizard.signing.findings import Finding, Verification
from dpwizard.signing.pdf_document import Document
from dpwizard.signing.pdf_revisions import open_pdf
from dpwizard.signing.pdf_text import Piece, pages, pieces, tokens

DRAWN = 0.05  # points: how far two drawings of one curve may lie apart
LABEL = 8.0  # points: figures are labelled in this size, letter by letter
HEADLINE = 25.0  # points: only the chosen epsilon on page one is as large
NAMES = 3  # letters: shorter texts are found anywhere
MORE = 3  # times: what says more than that does not say the same
LONGEST_LABELS, MOST_STRANGE = 5_000, 200  # letters of one figure, and pieces that nothing is known of
PIECES = 2  # letters: what the labels of a figure are taken apart into, at least
NO_LETTERS = re.compile(r"[\W\d_]+")
NUMBER = re.compile(r"[0-9]+(?:[.,\u202f][0-9]+)*")
DIFFERENT = "the PDF does not say what the JSON file says"


class NotComparable(DPWizardError):
    """The PDF can neither be made again here nor compared otherwise."""


def with_binding(found: Verification, json_bytes: bytes | None, pdf: bytes | None) -> Verification:
    """Return FOUND with what is said of whether the PDF says what the JSON says.

    Arguments: the bytes of the JSON file (None: those attached in the PDF) and of the PDF. A pair that differs is
    refused: the files are as they were signed, and yet two readers would read two decisions.
    """
    if not found.ok or pdf is None:
        return found
    document = open_pdf(pdf).document
    try:
        how = require_same(document.attached() if json_bytes is None else json_bytes, document)
        return found.model_copy(update={"findings": (*found.findings, _finding(True, how))})
    except NotComparable as problem:
        why = message("not compared: {reason}", reason=problem.message)
        return found.model_copy(update={"findings": (*found.findings, _finding(None, why)), "open": (*found.open, why)})
    except DPWizardError as problem:
        sentence = message("Unchanged since signing, but refused: {reason}.", reason=problem.message)
        findings = (*found.findings, _finding(False, problem.message))
        return found.model_copy(update={"verdict": "refused", "ok": False, "sentence": sentence, "findings": findings})


def _finding(ok: bool | None, why: Message) -> Finding:
    return Finding(check="says", title="The PDF says what the JSON file says", ok=ok, why=why)


def require_signable(json_bytes: bytes, pdf: bytes) -> None:
    """Raise SigningProblem unless the PDF, signed or not, says what JSON_BYTES say: only then is it signed further."""
    try:
        require_same(json_bytes, open_pdf(pdf).document)
    except NotComparable as problem:
        said = message("the PDF cannot be compared with the JSON file: {reason}", reason=problem.message)
        raise SigningProblem(said, "record", "Make a new record that supersedes it.") from None


def require_same(json_bytes: bytes, document: Document) -> Message:
    """Return how the pages of DOCUMENT were found to say what JSON_BYTES say, or nothing where they are the same bytes.

    Raises SigningProblem where they say something else, NotComparable where that cannot be told here.
    """
    raw = json_text.parse(json_bytes)
    if not is_record(raw):
        raise NotComparable("the JSON file is no decision record", "document", "")
    stated = read_record(raw).get("document")
    if stated is not None and stated not in versions.TYPESETTERS:
        said = message(
            "its pages are of version {stated} of the document, and this program makes up to {ours}",
            stated=json.dumps(stated)[:20],
            ours=DOCUMENT,
        )
        raise NotComparable(said, "document", "Verify it with a newer version of the program.")
    again = _typeset(raw, json_bytes, document.attached_name())
    if document.typeset.removesuffix(b"\n") == again.removesuffix(b"\n"):
        return NO_MESSAGE
    if stated is not None and versions.rebuilt_here(stated):
        _require_same_but_for_drawing(document, Document(again))
        return message("the same, but for the last digits of drawn lines: it was made on another machine")
    _require_same_said(raw, pieces(document), pieces(Document(again)))
    if stated is None:
        return message("compared by figures and texts: it was made before documents had versions")
    return message("compared by figures and texts: another version of the typesetter made it")


def _typeset(raw: dict[str, Any], json_bytes: bytes, name: str) -> bytes:
    from dpwizard.report import document as report

    try:
        return report.pdf_bytes(raw, json_bytes, name)
    except FileProblem as problem:
        raise NotComparable(problem.message, "document", "") from None


# ------------------------------------------------------------------- the same but for how lines are drawn


def _require_same_but_for_drawing(one: Document, other: Document) -> None:
    """Raise SigningProblem unless both hold the same objects, and their pages draw the same a hair's breadth apart."""
    if (one.size, one.root, one.info) != (other.size, other.root, other.info):
        raise SigningProblem(DIFFERENT, "document", "")
    drawn = {int(page.raw_get("/Contents").idnum) for page in pages(one)}
    for number in range(1, one.size):
        first, second = one.at(number), other.at(number)
        if not hasattr(first, "data"):
            same = pdf_objects.written(first) == pdf_objects.written(second)
        elif number in drawn or str(first.get("/Subtype", "")) == "/Form":
            same = _drawn_alike(bytes(first.data), bytes(second.data))
        else:  # fonts, the attached file; and metadata, of which only an identifier made of the bytes may differ
            same = _unnamed(bytes(first.data)) == _unnamed(bytes(second.data))
        if not same:
            raise SigningProblem(DIFFERENT, "document", "")


def _unnamed(data: bytes) -> bytes:
    return re.sub(rb"<(stEvt:instanceID|xmpMM:(?:Instance|Document)ID)>[A-Za-z0-9+/=_]{0,99}</\1>", b"", data)


def _drawn_alike(one: bytes, other: bytes) -> bool:
    """Return whether two content streams are the same, token by token, their numbers no more than DRAWN apart."""
    for first, second in zip_longest(tokens(one), tokens(other)):
        if first is None or second is None or first[0] != second[0]:
            return False
        if first[1] != second[1] and (first[0] != "number" or abs(float(first[1]) - float(second[1])) > DRAWN):
            return False
    return True


# ----------------------------------------------------------------------------- the same figures and texts


def _require_same_said(raw: dict[str, Any], found: tuple[Piece, ...], today: tuple[Piece, ...]) -> None:
    """Raise SigningProblem where the pages FOUND say something else than the record and its pages of TODAY.

    The headline is the same to its last digit; every text of the record that today's pages show is shown; every
    number is one of the record's. Words that are neither the record's nor known from earlier documents raise
    NotComparable.
    """
    found, today = _without_feet(found), _without_feet(today)
    lengths = [sum(len(piece.text) for piece in each) for each in (found, today)]
    if lengths[0] > MORE * lengths[1]:
        raise SigningProblem(DIFFERENT, "document", "")
    headlines = [[p.text for p in each if p.size > HEADLINE] for each in (found, today)]
    if not _same_headline(*headlines) or any(p.page for p in found if p.size > HEADLINE):
        raise SigningProblem(DIFFERENT, "document", "")
    shown, through = ("".join(_squeezed(p.text) for p in each) for each in (found, today))
    for text in map(_squeezed, _texts(raw, keys=False)):
        if len(text) >= NAMES and text in through and text not in shown:
            raise SigningProblem(DIFFERENT, "document", "")
    kept = resource("report", "earlier", "phrases.txt").read_text("utf-8").splitlines()
    known = "\n".join([through, *map(_squeezed, (*_texts(raw, keys=True), *kept))])
    numbers = tuple(_numbers(raw))
    strange = [p for p in found if _squeezed(p.text) not in known]
    for piece in (p for p in strange if p.size > LABEL):
        if not all(_near(number, numbers) or number in known for number in NUMBER.findall(piece.text)):
            raise SigningProblem(_says(piece), "document", "")
    for piece in strange:
        if len(strange) > MOST_STRANGE or not (_labels if piece.size <= LABEL else _composed)(piece.text, known):
            raise NotComparable(_says(piece), "document", "Compare the PDF with the JSON file by eye.")


def _says(piece: Piece) -> Message:
    return message("the PDF says “{text}”, and the JSON file does not", text=" ".join(piece.text.split())[:80])


def _same_headline(one: list[str], other: list[str]) -> bool:
    """Return whether both are the same, the last digit aside: epsilon was once rounded down and is rounded up now."""
    first, second = (" ".join(each) for each in (one, other))
    figures, others = NUMBER.findall(first), NUMBER.findall(second)
    if NUMBER.sub("", first) != NUMBER.sub("", second) or len(figures) != len(others):
        return False
    return all(_near(figure, _read(other)) for figure, other in zip(figures, others, strict=True))


def _near(figure: str, numbers: Iterable[float]) -> bool:
    """Return whether FIGURE, as it is printed, is one of NUMBERS to its last digit."""
    unit = 10.0 ** -len(re.split("[.,]", figure)[-1]) if re.search("[.,]", figure) else 1.0
    return any(abs(value - number) <= 1.000_001 * unit for value in _read(figure) for number in numbers)


def _read(figure: str) -> tuple[float, ...]:
    """Return the numbers that FIGURE may mean: with a point or a comma before its decimals."""
    plain = figure.replace("\u202f", "")
    spellings = {plain.replace(",", ""), plain.replace(".", "").replace(",", ".")}
    return tuple(float(each) for each in spellings if each.count(".") < 2)


def _composed(text: str, known: str) -> bool:
    """Return whether TEXT is put together of what is known: numbers, and words between commas and colons."""
    return all(part in known for part in re.split("[,:]", NUMBER.sub(",", _squeezed(text))) if part)


def _labels(text: str, known: str) -> bool:
    """Return whether the labels of a figure, run together, are made of words that are known, and of numbers."""
    rest, lettered = (NO_LETTERS.sub("", each) for each in (text, known))
    position = len(rest) + 1 if len(rest) > LONGEST_LABELS else 0
    while position < len(rest):
        longest = position
        while longest < len(rest) and rest[position : longest + 1] in lettered:
            longest += 1
        if longest - position < min(PIECES, len(rest) - position):
            return False
        position = longest
    return position == len(rest)


def _without_feet(found: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """Return the pieces without those that stand on every page, numbers aside: they are the same text again."""
    last = max((piece.page for piece in found), default=0)
    on: dict[str, set[int]] = {}
    for piece in found:
        on.setdefault(re.sub("[0-9]", "", piece.text), set()).add(piece.page)
    return tuple(p for p in found if p.page == 0 or len(on[re.sub("[0-9]", "", p.text)]) <= last)


def _texts(value: Any, *, keys: bool) -> Iterator[str]:
    """Yield every text in VALUE, and its keys too where asked for."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (key for key in value if keys)
        for item in value.values():
            yield from _texts(item, keys=keys)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item, keys=keys)


def _numbers(value: Any) -> Iterator[float]:
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _numbers(item)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield float(value)


def _squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)
