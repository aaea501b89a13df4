"""Annex A2: the privacy loss, the noise, and the code that adds it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dpwizard.base.errors import InvalidInput
from dpwizard.privacy.mechanisms import EXACT
from dpwizard.questions import names_in_short
from dpwizard.records import Implementation, release_code, release_script
from dpwizard.report.blocks import Block, Heading, Pairs, Paragraph, Table
from dpwizard.report.content import Content
from dpwizard.report.many_rows import are_many, common_and_differing, widths
from dpwizard.report.release_sections import head
from dpwizard.report.values import every_digit, written
from dpwizard.wording import figures

MOST_LINES = 60  # of printed code


def accounting_section(report: Content) -> Iterator[Block]:
    words, accounting = report.words, report.record.accounting
    yield head(report, "accounting")
    unstated = words.of_model("mechanism", EXACT.name) if report.noiseless else report.not_assessed

    def figure(value: float | None) -> str:
        """Return an epsilon, rounded up."""
        return unstated if value is None or report.noiseless else figures.epsilon_up(value)

    before = (
        words("accounting", "unknown")
        if accounting.spent_before is None
        else figures.epsilon_up(accounting.spent_before)
    )
    rows = [
        (words("accounting", "rule"), words("accounting", accounting.rule)),
        (words("accounting", "relation"), written("neighbours", report.decision.release.neighbours, words)),
        (words("accounting", "one"), figure(accounting.per_repetition)),
        (words("accounting", "repetitions"), figures.whole(accounting.repetitions)),
        (words("accounting", "all"), figure(accounting.all_repetitions)),
        (words("accounting", "before"), before),
        (words("accounting", "total"), figure(accounting.in_all)),
    ]
    for key, delta in (("delta", accounting.delta_in_all), ("delta_before", accounting.delta_spent_before)):
        if delta is not None:
            rows.append((words("accounting", key), written("delta", delta, words)))
    rows += _other_measures(report)
    for answer, wording in zip(report.answers, report.sentences.answers, strict=True):
        left = answer.at_epsilon.get("left") if answer.kind == "budget" else None
        if isinstance(left, int | float):
            rows.append((words("accounting", "left", name=wording.title), figures.format_max(float(left))))
    yield Pairs(rows=tuple(rows))
    if report.sentences.person:
        yield Paragraph(text=report.sentences.person)
    yield from _losses_of_parts(report)


def _other_measures(report: Content) -> Iterator[tuple[str, str]]:
    """Yield the privacy loss in rho and mu, and in epsilon by each rule and at each delta."""
    words, accounting = report.words, report.record.assessment.accounting
    if accounting.conversions and accounting.rho is not None:
        yield words("accounting", "rho"), figures.epsilon_up(accounting.rho)
    if (accounting.conversions or report.decision.release.counted_in == "rho") and accounting.mu is not None:
        yield words("accounting", "mu"), figures.epsilon_up(accounting.mu)
    for conversion in accounting.conversions:
        if conversion.epsilon is not None and words.has("accounting", f"by_{conversion.rule}"):
            yield words("accounting", f"by_{conversion.rule}"), figures.epsilon_up(conversion.epsilon)
    for point in accounting.at_delta:
        unbounded = words("accounting", "unbounded") if point.epsilon is None else figures.epsilon_up(point.epsilon)
        yield words("accounting", "at_delta", delta=written("delta", point.delta, words)), unbounded
    if accounting.gdp_mu is not None:
        yield words("accounting", "gdp_mu"), figures.epsilon_up(accounting.gdp_mu)


def _losses_of_parts(report: Content) -> Iterator[Block]:
    """Yield the privacy loss by attribute and within each level, if any are named."""
    words, accounting = report.words, report.record.assessment.accounting
    within = dict(accounting.within_level)
    named = [("attribute", *each) for each in sorted(accounting.by_attribute, key=lambda each: each[0])]
    named += [("within", name, within[name]) for name in report.decision.release.levels if name in within]
    rows = tuple(
        (
            words("losses", kind, name=name),
            *("–" if loss is None else figures.epsilon_up(loss) for loss in (cost.rho, cost.epsilon)),
        )
        for kind, name, cost in named
    )
    if rows:
        yield Heading(text=words("losses", "title"), level=2)
        yield Table(columns=words.each("losses", "of", "rho", "epsilon"), rows=rows, widths=(2.4, 1, 1), numbers=(1, 2))
        yield Paragraph(text=words("losses", "meaning"))


def implementation_section(report: Content) -> Iterator[Block]:
    words, rows = report.words, report.record.implementation
    yield head(report, "implementation")
    if not rows:
        yield Paragraph(text=words("implementation", "none"))
        return
    labels = words.each("implementation", "part", "mechanism", "sensitivity", "epsilon", "scale", "alpha")
    if report.epsilon is not None and len(rows) > 1:
        yield Pairs(rows=((words("implementation", "epsilon_all"), every_digit(report.epsilon)),))
    if len(rows) == 1:
        cells = _noise_to_add(rows[0], report, every_digit)
        pairs = list(zip(labels, cells, strict=True))[1 if rows[0].part is None else 0 :]
        yield Pairs(rows=tuple((name, cell) for name, cell in pairs if cell != "–"))
    else:
        noise_rows = tuple(_noise_to_add(row, report, figures.number) for row in rows)
        if are_many(rows):
            yield from common_and_differing(
                labels, names_in_short.alike(noise_rows, short=report.names.of_all), (2, 3, 4, 5)
            )
        else:
            yield Table(columns=labels, rows=noise_rows, widths=widths(labels, noise_rows), numbers=(2, 3, 4, 5))
    if any(row.scale for row in rows):
        kinds = (f"of_{name}" for name in dict.fromkeys(row.mechanism for row in rows if row.scale))
        notes = ("note", *(key for key in kinds if words.has("implementation", key)))
        yield Paragraph(text=" ".join(words.each("implementation", *notes)), style="quiet")
    yield from _code(report)


def _code(report: Content) -> Iterator[Block]:
    """Yield the code that adds the noise, or a reference to it, and how totals are made."""
    words, release = report.words, report.decision.release
    try:
        code = release_code(report.record)
    except InvalidInput:
        return
    yield Heading(text=words("implementation", "code"), level=2)
    try:  # noise alone does not make tables that add up
        scripted = release.adds_up and bool(release_script(report.record, "reference", sha256=report.sha256))
    except InvalidInput:
        scripted = False
    if scripted:
        yield Paragraph(text=words("implementation", "script_elsewhere", json=report.name))
    elif len(code.splitlines()) <= MOST_LINES:
        yield Paragraph(text=code.strip(), style="code")
    else:
        yield Paragraph(text=words("implementation", "code_elsewhere", json=report.name))
    if release.totals_printed:
        yield Paragraph(text=words("implementation", "totals"))


def _noise_to_add(row: Implementation, report: Content, share: Callable[[float], str]) -> tuple[str, ...]:
    """Return the noise of one table as cells; SHARE formats its budget."""
    budget = row.rho if report.record.accounting.counted_in == "rho" else row.epsilon
    forms = (
        (row.sensitivity, figures.number),
        (budget, share),
        (row.scale, every_digit),
        (row.alpha, every_digit),
    )
    digits = tuple("–" if value is None else form(value) for value, form in forms)
    return (row.part or report.words("release", "whole"), report.words.of_model("mechanism", row.mechanism), *digits)
