"""What reviewers ask, and where this record answers: a row for each question, from four public documents.

The questions are in our own words. Who adds one adds a row to ASKED and its words under "asked"; tests walk the rows.
Sources: NIST SP 800-226 (Guidelines for Evaluating Differential Privacy Guarantees, 2025); the public Differential
Privacy Deployments Registry, tier 3; ISO/IEC 27559:2022 (Privacy enhancing data de-identification framework); the
European data protection authorities' template for an impact assessment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import MappingProxyType
from typing import Any, NamedTuple

from dpwizard.decision import Actor, Details, Risk, edits
from dpwizard.records import Record, drawn
from dpwizard.report.blocks import Block, Cover, Heading, Pairs, Paragraph, Table, html
from dpwizard.report.content import Content, content
from dpwizard.report.particulars import told
from dpwizard.report.release_sections import head
from dpwizard.wording import field_label, figures, share_up

OWN = (  # the particulars that stand in this section alone
    *("collection", "data_domain", "domain_source", "tuned_on", "tuning", "implementation", "floating_point"),
    *("randomness", "checked", "access", "security", "groups"),
)


class Asked(NamedTuple):
    """A question: who asks it, its words, and the fields that answer it by the section in which they are printed."""

    source: str
    key: str
    answers: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def fields(self) -> tuple[str, ...]:
        """Return the fields that answer, of all sections."""
        return tuple(path for _, paths in self.answers for path in paths)


def _details(section: str, *names: str) -> tuple[str, tuple[str, ...]]:
    return section, tuple(f"$.details.{name}" for name in names)


def _release(section: str, *names: str) -> tuple[str, tuple[str, ...]]:
    return section, tuple(f"$.release.{name}" for name in names)


# of a decision as a whole, by what the row names: no field of their own
BUDGET, PROMISES, NEEDS = "$.budget", "$.promises", "$.needs"
WHOLE = MappingProxyType({BUDGET: "budget", PROMISES: "promises", NEEDS: "needs"})
TRUST = (_release("reviewers", "trust_model"), _details("reviewers", "actors"))
UNIT = ("unit", "neighbours", "contributions", "slice", "slices_per_person")
ASKED = (
    Asked("nist", "unit", (_release("release", *UNIT),)),
    Asked("nist", "parameters", (("decision", (BUDGET,)),)),
    Asked("nist", "sensitivity", (_release("release", "sensitivity", "derivation", "mechanism"),)),
    Asked("nist", "trust", TRUST),
    Asked("nist", "all_releases", (_release("accounting", "spent", "repetitions"),)),
    Asked("nist", "utility", (("results", (NEEDS,)),)),
    Asked("nist", "bias", (_details("reviewers", "small_groups", "groups"),)),
    Asked(
        "nist",
        "arithmetic",
        (_details("reviewers", "implementation", "floating_point", "randomness", "checked"),),
    ),
    Asked("nist", "data_security", (_details("reviewers", "security", "access"),)),
    Asked("nist", "collection", (_details("reviewers", "collection"),)),
    Asked("nist", "tuning", (_details("reviewers", "tuned_on", "tuning"),)),
    Asked("nist", "exact", (_release("release", "exact_figures", "published_elsewhere"),)),
    Asked("registry", "deployment", (_details("identity", "curators", "intended_use", "product_type", "region"),)),
    Asked("registry", "domain", (_details("reviewers", "data_domain", "domain_source"),)),
    Asked("registry", "model", TRUST),
    Asked(
        "registry",
        "composition",
        (_release("accounting", "spent", "repetitions"), _release("release", "post_processing")),
    ),
    Asked("registry", "justification", (("decision", ("$.justification",)),)),
    Asked("iso", "context", (("adversaries", (PROMISES,)),)),
    Asked("iso", "attributes", (_details("adversaries", "attributes"),)),
    Asked("iso", "before_and_after", (("results", (PROMISES,)),)),
    Asked("iso", "residual", (_details("risks", "risks", "residual_risks"),)),
    Asked(
        "iso", "governance", (_details("identity", "approver"), _details("decision", "review_date", "review_triggers"))
    ),
    Asked(
        "edpb", "purpose", (_details("identity", "intended_use"), _details("necessity", "necessity", "alternatives"))
    ),
    Asked("edpb", "law", (_details("identity", "controller"), _details("decision", "authority"))),
    Asked("edpb", "advice", (_details("advice", "advice", "views"),)),
    Asked("edpb", "outcome", (("decision", ("$.outcome", "$.details.review_date")),)),
)
SOURCES = tuple(dict.fromkeys(row.source for row in ASKED))
EITHER = ("$.details.risks", "$.details.residual_risks")  # two ways to say the same: one of them is an answer
EMPTY = (None, (), "", Actor(), Risk())
SEES_DATA = ("everything", "part")


def reviewers_section(found: Content) -> Iterator[Block]:
    """Yield what reviewers ask and the record answers: particulars, small groups, and where each answer is."""
    words, details = found.words, found.decision.details
    yield head(found, "reviewers")
    own = OWN if found.record.drawn.groups else (*OWN, "small_groups")  # which else stand in a table of their own
    names = [name for name in own if getattr(details, name) not in (None, ())]
    rows = [told(found, Details, name, getattr(details, name)) for name in names]
    if found.decision.release.trust_model is not None:
        model = words.of_model("trust_model", found.decision.release.trust_model)
        rows.insert(0, (field_label((type(found.decision),), "$.release.trust_model", found.decision), model))
    if rows:
        yield Pairs(rows=tuple(rows))
    yield from _actors(found)
    yield from _small_groups(found)
    yield from _questions(found, _where)


def reviewers_page(record: Record) -> str:
    """Return every question as one web page, each with where RECORD answers it and what it leaves unanswered."""
    found = content(record)
    words, title = found.words, (found.decision.title or "").strip() or record.name
    with found.spoken():
        head_of_page = Cover(document=words("section", "reviewers"), right="", title=title, line=found.name)
        about = Paragraph(text=words("asked", "about"))
        return html((head_of_page, about, *_questions(found, _in_full)), title=title, language=words.language)


def _questions(found: Content, answer: Callable[[Asked, Content], str]) -> Iterator[Block]:
    """Yield the questions of each source with what ANSWER says of them; those of which it says nothing are left out."""
    words = found.words
    columns = (words("asked", "question"), words("asked", "where"))
    for source in SOURCES:
        said = ((words("asked", row.key), answer(row, found)) for row in ASKED if row.source == source)
        if rows := tuple(row for row in said if row[1]):
            yield Heading(text=words("asked", f"source_{source}"), level=2)
            yield Table(columns=columns, rows=rows, widths=(1.0, 1.2))


def _where(row: Asked, found: Content) -> str:
    """Return where a question is answered, field by field."""
    words, said = found.words, []
    for section, paths in row.answers:
        if answered := [path for path in paths if _answered(path, found)]:
            said.append(words("asked", "stands", place=words("section", section), fields=_labels(answered, found)))
    return " ".join(said)


def _in_full(row: Asked, found: Content) -> str:
    """Return the same, and which fields are not answered."""
    others = [path for path in row.fields if not _answered(path, found)]
    if any(_answered(path, found) for path in EITHER):
        others = [path for path in others if path not in EITHER]
    unanswered = found.words("asked", "open", fields=_labels(others, found)) if others else ""
    return f"{_where(row, found)} {unanswered}".strip()


def _answered(path: str, found: Content) -> bool:
    decision, release = found.decision, found.decision.release
    if path == BUDGET:
        return found.epsilon is not None
    if path in (PROMISES, NEEDS):  # what no promise to somebody says of them, a need does not say either
        asked = [requirement for requirement in decision.requirements if requirement.enabled]
        return any(one.step == "profile" if path == PROMISES else one.end == "lower" for one in asked)
    if path == "$.details.small_groups":
        return bool(found.record.drawn.groups)
    name = path.rpartition(".")[2]
    if path.startswith("$.release.") and not _said(edits.get(decision, path)):  # of several tables each states its own
        return any(_said(getattr(part, name, None)) for part in release.parts)
    return _said(edits.get(decision, path))


def _said(value: Any) -> bool:
    """Return whether a field says anything: a list of rows that are all empty does not."""
    return any(one not in EMPTY for one in (value if isinstance(value, tuple) else (value,)))


def _labels(paths: list[str], found: Content) -> str:
    words, decision = found.words, found.decision
    return figures.listed(
        [
            words("asked", WHOLE[path]) if path in WHOLE else field_label((type(decision),), path, decision)
            for path in paths
        ]
    )


def _actors(found: Content) -> Iterator[Block]:
    actors, words = found.decision.details.actors, found.words
    if not _said(actors):
        return
    names = ("name", "role", "sees")
    rows = tuple(
        tuple(told(found, Actor, name, getattr(actor, name))[1] for name in names) for actor in actors if _said(actor)
    )
    columns = tuple(words("asked", f"actor_{name}") for name in names)
    yield Table(columns=columns, rows=rows, widths=(1.4, 1.0, 1.4))
    if any(actor.sees in SEES_DATA for actor in actors):
        yield Paragraph(text=words("asked", "trusted"), style="quiet")


def _small_groups(found: Content) -> Iterator[Block]:
    words, release, groups = found.words, found.decision.release, found.record.drawn.groups
    if not groups:
        if found.decision.details.small_groups:
            yield Paragraph(text=words("asked", "small_unknown"))
        return
    yield Heading(text=words("asked", "small_groups"), level=2)
    yield Paragraph(text=words("asked", "small_groups_about"))
    several = len({group.tables for group in groups}) > 1
    keys: tuple[str, ...] = ("small_count", "small_width", "small_tenth", "small_half", "small_gone")
    keys = ("small_tables", *keys) if several else keys
    yield Table(
        columns=tuple(words("asked", key) for key in keys),
        rows=tuple(_group(group, several, found) for group in groups),
        widths=(*((1.6,) if several else ()), 0.7, 0.9, 1.1, 1.1, 1.1),
        numbers=tuple(range(1 if several else 0, len(keys))),
    )
    for kind in release.post_processing:
        yield Paragraph(text=words("noise_sheet", f"after_{kind}"), style="quiet")


def _group(group: drawn.Group, several: bool, found: Content) -> tuple[str, ...]:
    tables = figures.listed([name or found.words("release", "whole") for name in group.tables[:3]])
    if len(group.tables) > 3:
        tables = found.words("noise_sheet", "and_more", names=tables, count=len(group.tables) - 3)
    chances = tuple(share_up(chance) for chance in (group.off_by_tenth, group.off_by_half, group.gone))
    half = figures.number(group.half_width) if group.half_width.is_integer() else figures.need(group.half_width)
    return (*((tables,) if several else ()), figures.whole(group.count), f"± {half}", *chances)
