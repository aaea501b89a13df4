"""Annex A1, first half: what is released, in technical words."""

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
ONLY_IF_SAID = {  # fields that most releases have no use for
    *("divisions", "totals_printed", "person_word", "reveals", "each_number", "lowest", "highest", "how_often"),
    *("adding_up", "totals"),
    *("delta", "sensitivity_other", "derivation", "effects", "reads", "step", "allocation", "levels", *OF_PERSON),
}
FEW_COLUMNS = 2  # of a table that has room for what most of its rows state besides
LONGEST_CELL = 72  # letters of what is told in a column of its own
OF_PART = ("name", "statistic", "mechanism", "sensitivity", "dimension", "share")
OF_SPENT = ("record", "epsilon", "neighbours", "date")
OF_EXACT = ("name", "reads")


def head(found: Content, key: str, **texts: Any) -> Heading:
    """Return the heading of a section of the annex."""
    return Heading(text=found.words("section", key, **texts), level=2)


def release_section(found: Content) -> Iterator[Block]:
    release, words = found.decision.release, found.words
    yield head(found, "release")
    later = ("unit_kind",) if release.unit else ()  # the unit in words says it
    sentences = [name for name in ABOUT_RELEASE if name not in later]
    said = [name for name in sentences if getattr(release, name) not in (None, ()) or name not in ONLY_IF_SAID]
    names = [name for name in said if not _left_to_tables(name, release)]
    yield Pairs(rows=tuple((label(Release, name), written(name, getattr(release, name), words)) for name in names))
    yield from _listed(words("release", "parts"), Part, _parts(release), OF_PART, (3, 4, 5), found)
    yield from _listed(words("release", "spent"), EarlierRelease, release.spent, OF_SPENT, (1,), found)
    yield from _listed(label(Release, "exact_figures"), ExactFigure, release.exact_figures, OF_EXACT, (), found)


def _parts(release: Release) -> list[Part]:
    return [
        part.model_copy(update={"mechanism": table.mechanism})
        for part, table in zip(release.parts, release.tables, strict=False)
    ]


def _left_to_tables(name: str, release: Release) -> bool:
    """Return whether field NAME is asked of each table: each answers it, or the release as a whole does not."""
    if release.tables[0].whole or name not in TableFields.model_fields:
        return False
    return getattr(release, name) is None or all(name in part.model_fields_set for part in release.parts)


def _listed(
    title: str,
    kind: type[Value],
    values: Sequence[Value],
    names: tuple[str, ...],
    numbers: tuple[int, ...],
    found: Content,
) -> Iterator[Block]:
    """Yield the fields NAMES of VALUES under their own heading, if there are any; and what some of them state besides,
    each under its name or number."""
    if not values:
        return
    words = found.words
    many = are_many(values)
    if many or len(names) <= FEW_COLUMNS:
        names = (*names, *_mostly_answered(kind, values, names, found))
    rows = tuple(tuple(_cell(name, getattr(value, name), found) for name in names) for value in values)
    columns = tuple(label(kind, name) for name in names)
    yield Heading(text=title, level=2)
    short = found.names if many and kind is Part else names_in_short.NamesInShort()
    if many:
        yield from common_and_differing(columns, short.in_few_rows(names, rows, values), numbers)
        if short.blank:
            yield Paragraph(text=words("release", "blank", blank=short.blank), style="quiet")
    else:
        yield Table(columns=columns, rows=rows, widths=widths(columns, rows), numbers=numbers)
    if besides := tuple(_besides(values, names, found)):
        listed = names_in_short.alike(besides, short=short.of_all) if many else besides
        yield Table(columns=(label(kind, names[0]), words("release", "more")), rows=listed, widths=(1, 3))


def _besides(values: Sequence[Value], names: tuple[str, ...], found: Content) -> Iterator[tuple[str, str]]:
    """Yield the name or number of each of VALUES that states other fields than NAMES, and what it states in them."""
    for index, value in enumerate(values):
        others = ((name, field.default) for name, field in type(value).model_fields.items() if name not in names)
        answers = ((name, getattr(value, name)) for name, default in others if getattr(value, name) != default)
        if stated := [f"{label(value, name)}: {written(name, answer, found.words)}" for name, answer in answers]:
            yield getattr(value, names[0]) or figures.whole(index + 1), "\n".join(stated)


def _cell(name: str, value: Any, found: Content) -> str:
    """Return a value as a table says it: a dash for what its row does not state."""
    text = written(name, value, found.words)
    return "–" if text == found.not_assessed else text


def _mostly_answered(
    kind: type[Value], values: Sequence[Value], names: tuple[str, ...], found: Content
) -> Iterator[str]:
    """Yield the other fields that most VALUES answer, in words that fit into a column."""
    for name, field in kind.model_fields.items():
        answers = [getattr(value, name) for value in values if getattr(value, name) != field.default]
        longest = max((len(written(name, answer, found.words)) for answer in answers), default=0)
        if name not in names and 2 * len(answers) > len(values) and longest <= LONGEST_CELL:
            yield name
