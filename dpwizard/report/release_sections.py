"""The sections on what is released and what is assumed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from dpwizard.base.values import Value
from dpwizard.charts import Scene
from dpwizard.decision import Acknowledgement, Details, ExactFigure, Part, Release, Spent, TableFields
from dpwizard.decision.requirements import RelativeRisk
from dpwizard.report import particulars
from dpwizard.report.blocks import Block, Figure, Heading, Pairs, Paragraph, Table
from dpwizard.report.content import Content
from dpwizard.report.many_rows import are_many, told_shortly, widths
from dpwizard.report.values import belief, label, pairs_of, promise_of, written
from dpwizard.wording import figures

MOST_IN_FULL = 100  # requirements printed field by field; the JSON holds all of them

OF_PERSON = ("unit_kind", "slice", "slices_per_person", "at_most_years", "cap", "distinct_cells")
ABOUT_RELEASE = (
    *(
        "description",
        "divisions",
        "totals_printed",
        "unit",
        "person_word",
        "reveals",
        *("each_number", "lowest", "highest", "how_often"),
        *OF_PERSON,
        "contributions",
        "statistic",
        "dimension",
        "neighbours",
        "sensitivity",
    ),
    *("sensitivity_other", "effects", "reads", "step", "derivation", "mechanism", "delta", "repetitions"),
    *("population", "sampling_fraction", "allocation", "levels"),
    *("sample_secret", "published_elsewhere", "post_processing", "priors_from"),
)
ONLY_IF_SAID = {  # fields that most releases have no use for
    *("divisions", "totals_printed", "person_word", "reveals", "each_number", "lowest", "highest", "how_often"),
    *("delta", "sensitivity_other", "derivation", "effects", "reads", "step", "allocation", "levels", *OF_PERSON),
}
FEW_COLUMNS = 2  # of a table that has room for what most of its rows state besides
LONGEST_CELL = 72  # letters of what is told in a column of its own
OF_PART = ("name", "statistic", "mechanism", "sensitivity", "dimension", "share")
OF_SPENT = ("record", "epsilon", "neighbours", "date")
OF_EXACT = ("name", "reads")


def head(found: Content, key: str, **texts: Any) -> Heading:
    return Heading(text=found.words("section", key, **texts))


def numbered(blocks: Iterable[Block], found: Content) -> Iterator[Block]:
    number = 0
    for block in blocks:
        if isinstance(block, Figure):
            number += 1
            caption = found.words("document", "figure", number=number, caption=block.caption)
            yield replace(block, number=number, caption=caption)
        else:
            yield block


def tables_section(blocks: Iterable[Block], found: Content) -> Iterator[Block]:
    """Return the data behind each figure as a table, for those who do not see the figure or want its numbers."""
    scenes: list[Scene] = [block.scene for block in blocks if isinstance(block, Figure)]
    if not scenes:
        return
    yield head(found, "tables")
    for number, scene in enumerate(scenes, 1):
        yield Table(
            columns=scene.columns,
            rows=scene.rows,
            numbers=tuple(range(1, len(scene.columns))),
            caption=found.words("document", "figure", number=number, caption=scene.title),
        )


def release_section(found: Content) -> Iterator[Block]:
    release, words = found.decision.release, found.words
    yield head(found, "release")
    later = ("unit_kind",) if release.unit else ()  # the unit in words says it
    said = [name for name in ABOUT_RELEASE if name not in later]
    names = [name for name in said if getattr(release, name) not in (None, ()) or name not in ONLY_IF_SAID]
    yield Pairs(rows=tuple(_of_release(name, found) for name in names if not _left_to_tables(name, release)))
    parts = _parts(release)
    if not are_many(parts):
        yield from _listed(words("release", "parts"), Part, parts, OF_PART, (3, 4, 5), found)
    else:
        yield Paragraph(text=words("release", "parts_in_annex", count=figures.whole(len(parts))))
    yield from _listed(words("release", "spent"), Spent, release.spent, OF_SPENT, (1,), found)
    yield from _listed(label(Release, "exact_figures"), ExactFigure, release.exact_figures, OF_EXACT, (), found)


def parts_in_full(found: Content) -> Iterator[Block]:
    """Yield what each of many tables is, for the annex: the body says how many there are."""
    parts = _parts(found.decision.release)
    if are_many(parts):
        title = found.words("release", "parts")
        yield from (
            replace(block, level=1) if isinstance(block, Heading) else block
            for block in _listed(title, Part, parts, OF_PART, (3, 4, 5), found)
        )


def _parts(release: Release) -> list[Part]:
    return [
        part.model_copy(update={"mechanism": table.mechanism})
        for part, table in zip(release.parts, release.tables, strict=False)
    ]


def _left_to_tables(name: str, release: Release) -> bool:
    """Return whether field NAME is asked of each table and not answered for the release as a whole."""
    return not release.tables[0].whole and name in TableFields.model_fields and getattr(release, name) is None


def _of_release(name: str, found: Content) -> tuple[str, str]:
    value = getattr(found.decision.release, name)
    said = found.not_assessed if value is None else written(name, value, found.words)
    return label(Release, name), said


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
    if many:
        yield from told_shortly(columns, rows, numbers)
    else:
        yield Table(columns=columns, rows=rows, widths=widths(columns, rows), numbers=numbers)
    others = {name: field.default for name, field in kind.model_fields.items() if name not in names}
    besides = []
    for index, value in enumerate(values):
        answers = ((name, getattr(value, name)) for name, default in others.items() if getattr(value, name) != default)
        stated = [f"{label(kind, name)}: {written(name, answer, words)}" for name, answer in answers]
        if stated:
            besides.append((getattr(value, names[0]) or figures.whole(index + 1), "\n".join(stated)))
    if besides:
        yield Table(columns=(label(kind, names[0]), words("release", "more")), rows=tuple(besides), widths=(1, 3))


def _cell(name: str, value: Any, found: Content) -> str:
    """Return a value as a table says it: a dash for what its row does not state."""
    said = written(name, value, found.words)
    return "–" if said == found.not_assessed else said


def _mostly_answered(
    kind: type[Value], values: Sequence[Value], names: tuple[str, ...], found: Content
) -> Iterator[str]:
    """Yield the other fields that most VALUES answer, in words that fit into a column."""
    for name, field in kind.model_fields.items():
        answers = [getattr(value, name) for value in values if getattr(value, name) != field.default]
        longest = max((len(written(name, answer, found.words)) for answer in answers), default=0)
        if name not in names and 2 * len(answers) > len(values) and longest <= LONGEST_CELL:
            yield name


def adversaries_section(found: Content) -> Iterator[Block]:
    words, decision = found.words, found.decision
    yield head(found, "adversaries")
    rows = []
    for requirement, said in zip(decision.requirements, found.said.answers, strict=True):
        if requirement.step != "profile" or not requirement.enabled:
            continue
        if isinstance(requirement, RelativeRisk):
            p, q = requirement.beliefs()
            wants, promise = (
                written("adversary", requirement.adversary, words),
                promise_of(requirement, words),
            )
            wants += f" ({requirement.attribute})" if requirement.attribute else ""
            rows.append((said.title, wants, belief(p, words), belief(q, words), promise))
        else:
            asked = "; ".join(f"{name}: {value}" for name, value in pairs_of(requirement, words))
            rows.append((said.title, words.of_model("kind", requirement.kind), "–", "–", asked))
    if rows:
        others = (words("adversaries", key) for key in ("wants", "presence", "value", "promise"))
        columns = (words("results", "requirement"), *others)
        yield Table(columns=columns, rows=tuple(rows[:MOST_IN_FULL]), widths=(1.3, 1.2, 1, 1, 1.8))
        yield from and_more(len(rows) - MOST_IN_FULL, found)
    else:
        yield Paragraph(text=words("adversaries", "none"))
    yield Pairs(rows=(particulars.told(found, Details, "attributes", decision.details.attributes),))
    yield from _assumptions(found)


def _assumptions(found: Content) -> Iterator[Block]:
    words = found.words
    if not found.said.assumed:
        yield Paragraph(text=words("adversaries", "assumptions_none"), style="quiet")
        return
    acknowledged = {item.assumption: item for item in found.decision.acknowledged}
    rows = []
    for assumption, said in zip(found.said.assumed, found.said.assumptions, strict=True):
        item = acknowledged.get(assumption)
        typed = "" if item is None or item.text == said else f"\n{figures.quoted(item.text)}"
        rows.append((said + typed, _answered(item, found)))  # what was typed is never in place of what is assumed
    columns = (words("adversaries", "assumption"), words("adversaries", "state"))
    yield Table(columns=columns, rows=tuple(rows), widths=(3.2, 1))


def _answered(item: Acknowledgement | None, found: Content) -> str:
    """Return what was answered to an assumption, why, and who vouches for it."""
    if item is None:
        return found.words("adversaries", "not_acknowledged")
    answered = item.state if item.state in ("refused", "open") else "acknowledged"
    said = [found.words("adversaries", f"{answered}_at" if item.time else answered, time=item.time)]
    said += [item.reason] if item.reason else []
    said += [found.words("adversaries", "vouched_by", name=item.vouched_by)] if item.vouched_by else []
    return "\n".join(said)


def and_more(count: int, found: Content) -> Iterator[Block]:
    if count > 0:
        yield Paragraph(text=found.words("results", "and_more", count=figures.whole(count)), style="quiet")
