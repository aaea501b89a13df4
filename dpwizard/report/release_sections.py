"""Annex A1, first half: the release in technical terms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dpwizard.base.values import Value
from dpwizard.decision import EarlierRelease, ExactFigure, Part, Release, TableFields
from dpwizard.questions import names_in_short
from dpwizard.report.blocks import Block, Heading, Pairs, Paragraph, Table
from dpwizard.report.content import Content
from dpwizard.report.many_rows import are_many, common_and_differing, widths
from dpwizard.report.values import label, written
from dpwizard.wording import figures

OF_PERSON = ("unit_kind", "slice", "slices_per_person", "at_most_years", "in_periods", "cap", "distinct_cells")
ABOUT_RELEASE = (
    *("description", "divisions", "totals_printed", "unit", "person_word", "reveals"),
    *("each_number", "lowest", "highest", "how_often"),
    *OF_PERSON,
    *("contributions", "statistic", "dimension", "neighbours", "sensitivity"),
    *("sensitivity_other", "effects", "reads", "step", "derivation", "mechanism", "delta", "repetitions"),
    *("population", "sampling_fraction", "allocation", "levels", "adding_up", "totals"),
    *("sample_secret", "published_elsewhere", "post_processing", "priors_from"),
)
LEFT_OUT_IF_EMPTY = {  # fields that most releases do not use
    *("divisions", "totals_printed", "person_word", "reveals", "each_number", "lowest", "highest", "how_often"),
    *("adding_up", "totals"),
    *("delta", "sensitivity_other", "derivation", "effects", "reads", "step", "allocation", "levels", *OF_PERSON),
}
FEW_COLUMNS = 2  # of a table with space for further columns
LONGEST_CELL = 72  # characters of a cell of a further column
OF_PART = ("name", "statistic", "mechanism", "sensitivity", "dimension", "share")
OF_SPENT = ("record", "epsilon", "neighbours", "date")
OF_EXACT = ("name", "reads")


def head(report: Content, key: str, **texts: Any) -> Heading:
    """Return the heading of a section of the annex."""
    return Heading(text=report.words("section", key, **texts), level=2)


def release_section(report: Content) -> Iterator[Block]:
    release, words = report.decision.release, report.words
    yield head(report, "release")
    later = ("unit_kind",) if release.unit else ()  # the description of the unit includes it
    sentences = [name for name in ABOUT_RELEASE if name not in later]
    kept = [name for name in sentences if getattr(release, name) not in (None, ()) or name not in LEFT_OUT_IF_EMPTY]
    names = [name for name in kept if not _left_to_tables(name, release)]
    yield Pairs(rows=tuple((label(Release, name), written(name, getattr(release, name), words)) for name in names))
    parts = [
        part.model_copy(update={"mechanism": table.mechanism})
        for part, table in zip(release.parts, release.tables, strict=False)
    ]
    yield from _listed(words("release", "parts"), Part, parts, OF_PART, (3, 4, 5), report)
    yield from _listed(words("release", "spent"), EarlierRelease, release.spent, OF_SPENT, (1,), report)
    yield from _listed(label(Release, "exact_figures"), ExactFigure, release.exact_figures, OF_EXACT, (), report)


def _left_to_tables(name: str, release: Release) -> bool:
    """Return whether field NAME belongs to the tables: each has it, or the release does not."""
    if release.tables[0].whole or name not in TableFields.model_fields:
        return False
    return getattr(release, name) is None or all(name in part.model_fields_set for part in release.parts)


def _listed(
    title: str,
    kind: type[Value],
    values: Sequence[Value],
    names: tuple[str, ...],
    numbers: tuple[int, ...],
    report: Content,
) -> Iterator[Block]:
    """Yield the fields NAMES of VALUES under a heading, and other fields that some of them have."""
    if not values:
        return
    words = report.words
    many = are_many(values)
    if many or len(names) <= FEW_COLUMNS:
        names = (*names, *_mostly_answered(kind, values, names, report))
    rows = tuple(tuple(_cell(name, getattr(value, name), report) for name in names) for value in values)
    columns = tuple(label(kind, name) for name in names)
    yield Heading(text=title, level=2)
    short = report.names if many and kind is Part else names_in_short.NamesInShort()
    if many:
        yield from common_and_differing(columns, short.in_few_rows(names, rows, values), numbers)
        if short.blank:
            yield Paragraph(text=words("release", "blank", blank=short.blank), style="quiet")
    else:
        yield Table(columns=columns, rows=rows, widths=widths(columns, rows), numbers=numbers)
    if others := tuple(_other_answers(values, names, report)):
        listed = names_in_short.alike(others, short=short.of_all) if many else others
        yield Table(columns=(label(kind, names[0]), words("release", "more")), rows=listed, widths=(1, 3))


def _other_answers(values: Sequence[Value], names: tuple[str, ...], report: Content) -> Iterator[tuple[str, str]]:
    """Yield the name or number of each of VALUES with other fields than NAMES, and these."""
    for index, value in enumerate(values):
        others = ((name, field.default) for name, field in type(value).model_fields.items() if name not in names)
        answers = ((name, getattr(value, name)) for name, default in others if getattr(value, name) != default)
        if stated := [f"{label(value, name)}: {written(name, answer, report.words)}" for name, answer in answers]:
            yield getattr(value, names[0]) or figures.whole(index + 1), "\n".join(stated)


def _cell(name: str, value: Any, report: Content) -> str:
    """Return a value as the text of a cell; a dash if it is not assessed."""
    text = written(name, value, report.words)
    return "–" if text == report.not_assessed else text


def _mostly_answered(
    kind: type[Value], values: Sequence[Value], names: tuple[str, ...], report: Content
) -> Iterator[str]:
    """Yield the other fields that most VALUES have, if their texts fit into a column."""
    for name, field in kind.model_fields.items():
        answers = [getattr(value, name) for value in values if getattr(value, name) != field.default]
        longest = max((len(written(name, answer, report.words)) for answer in answers), default=0)
        if name not in names and 2 * len(answers) > len(values) and longest <= LONGEST_CELL:
            yield name
