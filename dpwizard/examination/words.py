"""The second opinion in words: for each statement a verdict, its arithmetic, what explains a difference, and what it
means for one person; in the chosen language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from types import MappingProxyType

from dpwizard.base import csv_text
from dpwizard.base.language import digits
from dpwizard.decision import Reason
from dpwizard.examination.finding import ClaimVerdict, Examination, Verdict
from dpwizard.wording import format_text, known_word, listed, quoted, word, written

SIGNS: MappingProxyType[Verdict, str] = MappingProxyType(
    {"agrees": "✓", "differs": "≠", "not_determined": "?", "follows": "→"}
)
COLUMNS = ("verdict", "statement", "stated", "follows", "arithmetic", "why", "person")
SECTION = "examination"
MOST_FIGURES = 30  # put into one formula and shown
TINY = 1e-4  # below this a figure has a power of ten
NARROW = 1e-6  # relative: ends nearer than this are one number
_NUMBER = re.compile(r"\d[\d.]*")


@dataclass(frozen=True, kw_only=True)
class ClaimRow:
    """One finding as a table shows it: a text for each of COLUMNS."""

    verdict: str
    statement: str
    stated: str
    follows: str
    arithmetic: str
    why: str
    person: str

    @property
    def cells(self) -> tuple[str, ...]:
        """Return the texts in the order of the columns."""
        return tuple(getattr(self, name) for name in COLUMNS)


def heads() -> tuple[str, ...]:
    """Return the headings of the columns."""
    return tuple(word(SECTION, f"head_{name}") for name in COLUMNS)


def summary(examination: Examination) -> str:
    """Return how many statements agree, differ and are not determined, in a sentence."""
    if not examination.findings:
        return word(SECTION, "nothing")
    counts: dict[str, int] = {verdict: examination.counted(verdict) for verdict in SIGNS}
    return format_text(SECTION, "summary", {"kind": word(SECTION, f"kind_{examination.kind}"), **counts})


def row(finding: ClaimVerdict) -> ClaimRow:
    """Return a finding as the texts of its row."""
    statement = word(SECTION, f"statement_{finding.statement}")
    return ClaimRow(
        verdict=f"{SIGNS[finding.verdict]} {word(SECTION, f'verdict_{finding.verdict}')}",
        statement=f"{statement}: {finding.name}" if finding.name else statement,
        stated=_stated(finding),
        follows=_follows(finding),
        arithmetic=_arithmetic(finding),
        why=" ".join(_why(finding)),
        person=_person(finding),
    )


def as_csv(examination: Examination) -> str:
    """Return every finding as CSV, a row each: its place, and a text for each of COLUMNS."""
    rows = [(finding.where, *row(finding).cells) for finding in examination.findings]
    return csv_text.as_csv([(word(SECTION, "head_where"), *heads()), *rows])


def lines(examination: Examination) -> Iterator[str]:
    """Yield the second opinion line by line, as a terminal shows it: first how it came out."""
    if examination.title:
        yield examination.title
    yield summary(examination)
    for finding in examination.findings:
        texts = row(finding)
        yield f"{texts.verdict}: {texts.statement} [{finding.where}]"
        sentences = (
            format_text(SECTION, "stated", {"stated": texts.stated}) if texts.stated else "",
            format_text(SECTION, "follows", {"derived": texts.follows}) if texts.follows else "",
            texts.arithmetic,
            texts.why,
            texts.person,
        )
        yield from (f"    {text}" for text in sentences if text)


def _stated(finding: ClaimVerdict) -> str:
    if not finding.stated:
        return ""
    if finding.statement == "variant":
        return word(SECTION, f"variant_{finding.stated}")
    quantity = known_word(SECTION, f"quantity_{finding.quantity}")
    return f"{quantity} {_printed(finding.stated)}".strip()


def _printed(text: str) -> str:
    return _NUMBER.sub(lambda match: digits(match[0]), text)


def _follows(finding: ClaimVerdict) -> str:
    """Return what follows by each rule, and how far rounding may have moved the first."""
    if not finding.derived:
        return ""
    sentences = [
        f"{_size(derived.value)} {word(SECTION, f'rule_{derived.rule}')}" if derived.rule else _size(derived.value)
        for derived in finding.derived
    ]
    first = finding.derived[0]
    if first.high - first.low <= NARROW * first.high:
        return listed(sentences)
    ends = {"low": _size(first.low), "high": _size(first.high)}
    return f"{listed(sentences)} {format_text(SECTION, 'rounded', ends)}"


def _size(value: float) -> str:
    """Return a figure as it is computed; a tiny one, such as a delta, with a power of ten."""
    return digits(f"{value:.4g}") if 0 < value < TINY else written(value, "number_up")


def _arithmetic(finding: ClaimVerdict) -> str:
    figures = [f"{name}: {_printed(text)}" for name, text in finding.figures.items()]
    if len(figures) > MOST_FIGURES:
        figures = [*figures[:MOST_FIGURES], "…"]
    formulas = list(dict.fromkeys(one.formula for one in finding.derived if one.formula))
    if not formulas:
        return listed(figures)
    if not figures:
        return listed(formulas)
    return format_text(SECTION, "figures", {"formula": "; ".join(formulas), "figures": listed(figures)})


def _why(finding: ClaimVerdict) -> Iterator[str]:
    if finding.missing:
        what = [known_word(SECTION, f"missing_{name}") or quoted(name) for name in finding.missing]
        yield format_text(SECTION, "missing", {"what": listed(what)})
    if finding.difference is not None:
        key = "less" if finding.difference < 0 else "more"
        if finding.statement == "repeated":
            key = "apart"
        elif finding.statement == "noise" and finding.difference < 0:
            key = "noise_less"
        yield format_text(SECTION, key, {"size": _size(abs(finding.difference))})
    for hint in finding.hints:
        yield _hint(hint)


def _hint(hint: Reason) -> str:
    figures = dict(hint.values)
    if "name" in figures:
        figures["name"] = quoted(str(figures["name"]))
    if "rule" in figures:
        figures["rule"] = word(SECTION, f"rule_{figures['rule']}")
    return format_text(SECTION, f"hint_{hint.key}", figures)


def _person(finding: ClaimVerdict) -> str:
    meaning = finding.meaning
    if meaning is None:
        return ""
    if meaning.stated is not None and meaning.derived is not None and finding.verdict != "agrees":
        return format_text(SECTION, f"{meaning.of}_both", {"stated": meaning.stated, "derived": meaning.derived})
    # of two that agree as far as rounding goes, the larger
    after = max(one for one in (meaning.stated, meaning.derived) if one is not None)
    return format_text(SECTION, f"{meaning.of}_one", {"after": after})
