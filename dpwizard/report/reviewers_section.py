"""What reviewers ask, and where this record answers: a row for each question, from four public documents.

The questions are in our own words. Who adds one adds a row to ASKED and its words under "asked"; tests walk the rows.
Sources: NIST SP 800-226 (Guidelines for Evaluating Differential Privacy Guarantees, 2025); the public Differential
Privacy Deployments Registry, tier 3; ISO/IEC 27559:2022 (Privacy enhancing data de-identification framework); the
European data protection authorities' template for an impact assessment.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from dpwizard.decision import Actor, Details, SmallGroup, edits, small_groups
from dpwizard.report import versions
from dpwizard.report.blocks import Block, Heading, Pairs, Paragraph, Table
from dpwizard.report.particulars import told
from dpwizard.report.reading import Content
from dpwizard.report.release_sections import head
from dpwizard.wording import field_label, figures, share_up

OWN = (  # the particulars that stand in this section alone
    *("collection", "data_domain", "domain_source", "tuned_on", "tuning", "implementation", "floating_point"),
    *("randomness", "checked", "access", "security", "groups"),
)


class Asked(NamedTuple):
    """A question: who asks it, its words, the fields that answer it, and the section where more stands."""

    source: str
    key: str
    fields: tuple[str, ...]
    section: str


def _details(*names: str) -> tuple[str, ...]:
    return tuple(f"$.details.{name}" for name in names)


def _release(*names: str) -> tuple[str, ...]:
    return tuple(f"$.release.{name}" for name in names)


ASKED = (
    Asked("nist", "unit", _release("unit", "neighbours", "contributions"), "release"),
    Asked("nist", "parameters", ("$.budget",), "decision"),
    Asked("nist", "sensitivity", _release("sensitivity", "derivation", "mechanism"), "release"),
    Asked("nist", "trust", (*_release("trust_model"), *_details("actors")), "reviewers"),
    Asked("nist", "all_releases", _release("spent", "repetitions"), "accounting"),
    Asked("nist", "utility", ("$.requirements",), "accuracy"),
    Asked("nist", "bias", _details("small_groups", "groups"), "reviewers"),
    Asked("nist", "arithmetic", _details("implementation", "floating_point", "randomness", "checked"), "reviewers"),
    Asked("nist", "data_security", _details("security", "access"), "reviewers"),
    Asked("nist", "collection", _details("collection"), "reviewers"),
    Asked("nist", "tuning", _details("tuned_on", "tuning"), "reviewers"),
    Asked("nist", "exact", _release("exact_figures", "published_elsewhere"), "release"),
    Asked("registry", "deployment", (*_details("curators", "intended_use", "product_type", "region"),), "identity"),
    Asked("registry", "domain", _details("data_domain", "domain_source"), "reviewers"),
    Asked("registry", "model", (*_release("trust_model"), *_details("actors")), "reviewers"),
    Asked("registry", "composition", _release("post_processing"), "accounting"),
    Asked("registry", "justification", ("$.justification",), "decision"),
    Asked("iso", "context", ("$.requirements",), "adversaries"),
    Asked("iso", "attributes", _details("attributes"), "adversaries"),
    Asked("iso", "before_and_after", ("$.requirements",), "results"),
    Asked("iso", "residual", _details("risks", "residual_risks"), "risks"),
    Asked("iso", "governance", _details("approver", "review_date", "review_triggers"), "decision"),
    Asked("edpb", "purpose", _details("intended_use", "necessity", "alternatives"), "necessity"),
    Asked("edpb", "law", _details("controller", "authority"), "decision"),
    Asked("edpb", "advice", _details("advice", "views"), "advice"),
    Asked("edpb", "outcome", ("$.outcome", *_details("review_date")), "decision"),
)
SOURCES = tuple(dict.fromkeys(row.source for row in ASKED))


def reviewers_section(found: Content) -> Iterator[Block]:
    """Yield what reviewers ask: the particulars they ask for, small groups, and where each question is answered."""
    if not versions.prints("reviewers"):
        return
    words, details = found.words, found.decision.details
    yield head(found, "reviewers")
    yield Paragraph(text=words("asked", "about"))
    names = [name for name in OWN if getattr(details, name) not in (None, ()) or found.withheld(f"$.details.{name}")]
    rows = [told(found, "$.details", Details, name, getattr(details, name)) for name in names]
    if found.decision.release.trust_model is not None:
        model = words.of_model("trust_model", found.decision.release.trust_model)
        rows.insert(0, (field_label((type(found.decision),), "$.release.trust_model", found.decision), model))
    if rows:
        yield Pairs(rows=tuple(rows))
    yield from _actors(found)
    yield from _small_groups(found)
    for source in SOURCES:
        yield Heading(text=words("asked", f"source_{source}"), level=2)
        rows_asked = tuple((words("asked", row.key), where(row, found)) for row in ASKED if row.source == source)
        yield Table(columns=(words("asked", "question"), words("asked", "where")), rows=rows_asked, widths=(1.0, 1.2))


def where(row: Asked, found: Content) -> str:
    """Return where a question is answered, field by field, or that it is not."""
    words = found.words
    answered = [path for path in row.fields if _answered(path, found)]
    open_ones = [path for path in row.fields if path not in answered and not found.withheld(path)]
    withheld = [path for path in row.fields if path not in answered and found.withheld(path)]
    place = words("section", row.section)
    said = []
    if answered:
        said.append(words("asked", "stands", place=place, fields=_labels(answered, found)))
    if withheld:
        said.append(words("asked", "left_out", fields=_labels(withheld, found)))
    if open_ones:
        said.append(words("asked", "open", fields=_labels(open_ones, found)))
    return " ".join(said)


def _answered(path: str, found: Content) -> bool:
    if found.withheld(path):
        return False
    if path == "$.budget":
        return found.decision.chosen is not None
    value = edits.get(found.decision, path)
    name, release = path.rpartition(".")[2], found.decision.release
    if path.startswith("$.release.") and value in (None, ()):  # of several tables each states its own
        return any(getattr(part, name, None) not in (None, ()) for part in release.parts)
    return value not in (None, (), "")


def _labels(paths: list[str], found: Content) -> str:
    words, decision = found.words, found.decision
    return figures.listed(
        [
            words("asked", "budget") if path == "$.budget" else field_label((type(decision),), path, decision)
            for path in paths
        ]
    )


def _actors(found: Content) -> Iterator[Block]:
    actors, words = found.decision.details.actors, found.words
    if not actors:
        return
    names = ("name", "role", "sees")
    rows = tuple(
        tuple(told(found, f"$.details.actors[{index}]", Actor, name, getattr(actor, name))[1] for name in names)
        for index, actor in enumerate(actors)
    )
    columns = tuple(words("asked", f"actor_{name}") for name in names)
    yield Table(columns=columns, rows=rows, widths=(1.4, 1.0, 1.4))


def _small_groups(found: Content) -> Iterator[Block]:
    words, release = found.words, found.decision.release
    groups = small_groups(release, found.decision.chosen, found.decision.details.small_groups or ())
    if not groups:
        return
    yield Heading(text=words("asked", "small_groups"), level=2)
    yield Paragraph(text=words("asked", "small_groups_about"))
    several = len({group.noise for group in groups}) > 1
    keys: tuple[str, ...] = ("small_count", "small_width", "small_tenth", "small_half", "small_gone")
    keys = ("small_tables", *keys) if several else keys
    yield Table(
        columns=tuple(words("asked", key) for key in keys),
        rows=tuple(_group(group, several, found) for group in groups),
        widths=(*((1.6,) if several else ()), 0.7, 0.9, 1.1, 1.1, 1.1),
        numbers=tuple(range(1 if several else 0, len(keys))),
    )


def _group(group: SmallGroup, several: bool, found: Content) -> tuple[str, ...]:
    tables = figures.listed([name or found.words("release", "whole") for name in group.noise.tables[:3]])
    if len(group.noise.tables) > 3:
        tables = found.words("noise_sheet", "and_more", names=tables, count=len(group.noise.tables) - 3)
    chances = tuple(share_up(chance) for chance in (group.off_by_tenth, group.off_by_half, group.gone))
    half = figures.number(group.half_width) if group.half_width.is_integer() else figures.need(group.half_width)
    return (*((tables,) if several else ()), figures.whole(group.count), f"± {half}", *chances)
