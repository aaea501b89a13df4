"""Annex A4: the decision and its reasons, missing answers, details, and the questions of reviewers.

The questions are paraphrased. To add one, add a row to ASKED and its words in section "asked"; tests check all rows.
Sources: NIST SP 800-226 (Guidelines for Evaluating Differential Privacy Guarantees, 2025); the public Differential
Privacy Deployments Registry, tier 3; ISO/IEC 27559:2022 (Privacy enhancing data de-identification framework); the
European data protection authorities' template for an impact assessment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import MappingProxyType
from typing import Any, NamedTuple

from dpwizard import records
from dpwizard.base.values import Value
from dpwizard.decision import Actor, Details, ResidualRisk, edits
from dpwizard.records import Record
from dpwizard.report.blocks import Block, Cover, Heading, Items, Pairs, Paragraph, Table, html
from dpwizard.report.content import Content, content
from dpwizard.report.many_rows import MOST_ROWS, and_more
from dpwizard.report.page_one import ROOMS
from dpwizard.report.release_sections import head
from dpwizard.report.values import label, written
from dpwizard.wording import all_digits, field_label, figures, texts

PRINTED_ELSEWHERE = ("small_groups", "supersedes", "superseded_sha256")  # in annex A3 and A5


class PrintedQuestion(NamedTuple):
    """A question: its source, the key of its words, and the fields that answer it, by section of the report."""

    source: str
    key: str
    answers: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def fields(self) -> tuple[str, ...]:
        """Return the fields of all sections that answer the question."""
        return tuple(path for _, paths in self.answers for path in paths)


def _details(section: str, *names: str) -> tuple[str, tuple[str, ...]]:
    return section, tuple(f"$.details.{name}" for name in names)


def _release(section: str, *names: str) -> tuple[str, tuple[str, ...]]:
    return section, tuple(f"$.release.{name}" for name in names)


# answers by the decision as a whole, without a field
BUDGET, PROMISES, NEEDS = "$.budget", "$.promises", "$.needs"
WHOLE = MappingProxyType({BUDGET: "budget", PROMISES: "promises", NEEDS: "needs"})
TRUST = (_release("identity", "trust_model"), _details("identity", "actors"))
UNIT = ("unit", "neighbours", "contributions", "slice", "slices_per_person")
ASKED = (
    PrintedQuestion("nist", "unit", (_release("release", *UNIT),)),
    PrintedQuestion("nist", "parameters", (("page_two", (BUDGET,)),)),
    PrintedQuestion("nist", "sensitivity", (_release("release", "sensitivity", "derivation", "mechanism"),)),
    PrintedQuestion("nist", "trust", TRUST),
    PrintedQuestion("nist", "all_releases", (_release("accounting", "spent", "repetitions"),)),
    PrintedQuestion("nist", "utility", (("results", (NEEDS,)),)),
    PrintedQuestion("nist", "bias", (_details("small_groups", "small_groups"), _details("identity", "groups"))),
    PrintedQuestion(
        "nist",
        "arithmetic",
        (_details("identity", "implementation", "floating_point", "randomness", "checked"),),
    ),
    PrintedQuestion("nist", "data_security", (_details("identity", "security", "access"),)),
    PrintedQuestion("nist", "collection", (_details("identity", "collection"),)),
    PrintedQuestion("nist", "tuning", (_details("identity", "tuned_on", "tuning"),)),
    PrintedQuestion("nist", "exact", (_release("release", "exact_figures", "published_elsewhere"),)),
    PrintedQuestion(
        "registry", "deployment", (_details("identity", "curators", "intended_use", "product_type", "region"),)
    ),
    PrintedQuestion("registry", "domain", (_details("identity", "data_domain", "domain_source"),)),
    PrintedQuestion("registry", "model", TRUST),
    PrintedQuestion(
        "registry",
        "composition",
        (_release("accounting", "spent", "repetitions"), _release("release", "post_processing")),
    ),
    PrintedQuestion("registry", "justification", (("page_one", ("$.justification",)),)),
    PrintedQuestion("iso", "context", (("results", (PROMISES,)),)),
    PrintedQuestion("iso", "attributes", (_details("identity", "attributes"),)),
    PrintedQuestion("iso", "before_and_after", (("results", (PROMISES,)),)),
    PrintedQuestion("iso", "residual", (_details("identity", "risks", "residual_risks"),)),
    PrintedQuestion(
        "iso", "governance", (_details("identity", "approver"), _details("identity", "review_date", "review_triggers"))
    ),
    PrintedQuestion(
        "edpb", "purpose", (_details("identity", "intended_use"), _details("identity", "necessity", "alternatives"))
    ),
    PrintedQuestion("edpb", "law", (_details("identity", "controller"), _details("identity", "authority"))),
    PrintedQuestion("edpb", "advice", (_details("identity", "advice", "views"),)),
    PrintedQuestion("edpb", "outcome", (("decision", ("$.outcome",)), ("page_one", ("$.details.review_date",)))),
)
SOURCES = tuple(dict.fromkeys(row.source for row in ASKED))
EITHER_ANSWERS = ("$.details.risks", "$.details.residual_risks")  # alternatives: one is enough
EMPTY = (None, (), "", Actor(), ResidualRisk())


def reasons_section(report: Content) -> Iterator[Block]:
    """Yield the decision, and its reasons in full if they are shortened on page one."""
    words, decision = report.words, report.decision
    yield head(report, "decision")
    rows = [(words("decision", "outcome"), words.of_model("outcome", decision.outcome or "open"))]
    if isinstance(decision.rho, str) and report.epsilon is not None:
        chosen = words("decision", "fraction", rho=decision.rho, exactly=all_digits(report.epsilon))
        rows.append((words("decision", "epsilon"), chosen))
    yield Pairs(rows=tuple(rows))
    if len(decision.justification or "") > ROOMS[0].typed:
        yield Heading(text=words("front", "why"), level=2)
        yield from _paragraphs(decision.justification)
    if report.record.assessment.inside is False and report.epsilon is not None:
        yield Heading(text=words("section", "exception"), level=2)
        missed = report.sentences.broken or (report.sentences.window,)
        yield Items(items=missed[:MOST_ROWS])
        yield from and_more(len(missed), report)
        yield from _paragraphs(decision.exception_reason)
        yield Paragraph(text=words("decision", "second"), style="quiet")


def _paragraphs(text: str | None) -> Iterator[Block]:
    for piece in (text or "").replace("\r\n", "\n").split("\n\n"):
        if piece.strip():
            yield Paragraph(text=piece, style="typed")


def missing_section(report: Content) -> Iterator[Block]:
    words, problems = report.words, report.record.assessment.problems
    if not problems:
        return
    yield head(report, "missing")
    rows = []
    for problem in problems:
        text = texts.format_text("problem", problem.key, problem.values, words.language)
        rows.append((records.label(report.decision, problem.where, named=True), text))
    yield Table(columns=words.each("missing", "where", "what"), rows=tuple(rows), widths=(1, 2))


# ------------------------------------------------------------------------------------------------- particulars


def particulars_section(report: Content) -> Iterator[Block]:
    """Yield every detail that was entered, with its label."""
    words, decision, details = report.words, report.decision, report.decision.details
    yield head(report, "identity")
    rows = [
        _label_and_value(report, Details, name, getattr(details, name))
        for name in Details.model_fields
        if name not in PRINTED_ELSEWHERE
    ]
    if not report.record.drawn.groups:
        rows.append(_label_and_value(report, Details, "small_groups", details.small_groups))
    if decision.release.trust_model is not None:
        model = words.of_model("trust_model", decision.release.trust_model)
        rows.append((field_label((type(decision),), "$.release.trust_model", decision), model))
    if decision.letterhead is not None:
        letters, claim = decision.letterhead, words("document", "letterhead")
        rows.append((label(type(decision), "letterhead"), "\n".join((letters.name, *letters.lines, f"({claim})"))))
    yield Pairs(rows=tuple(rows))


def _label_and_value(report: Content, owner: type[Value], name: str, value: Any) -> tuple[str, str]:
    """Return the label of a field, and its printed value or "not assessed"."""
    if value in (None, (), ""):
        return label(owner, name), report.not_assessed
    date = report.date(value) if name.endswith("date") else None
    return label(owner, name), date or written(name, value, report.words)


# ------------------------------------------------------------------------------------------------- what reviewers ask


def reviewers_section(report: Content) -> Iterator[Block]:
    """Yield the reviewers' questions that the record answers, with the place of each answer."""
    if rows := tuple(row for _, rows in _questions(report, _where) for row in rows):
        yield head(report, "reviewers")
        yield _answers(rows, report)


def reviewers_page(record: Record) -> str:
    """Return all questions as a web page, with the place of each answer in RECORD, and the unanswered fields."""
    report = content(record)
    words, title = report.words, report.title
    with report.spoken():
        head_of_page = Cover(document=words("section", "reviewers"), right="", title=title, line=report.name)
        about = Paragraph(text=words("asked", "about"))
        asked = (
            block
            for source, rows in _questions(report, _in_full)
            for block in (Heading(text=words("asked", f"source_{source}"), level=2), _answers(rows, report))
        )
        return html((head_of_page, about, *asked), title=title, language=words.language)


def _questions(
    report: Content, answer: Callable[[PrintedQuestion, Content], str]
) -> Iterator[tuple[str, tuple[tuple[str, str], ...]]]:
    """Yield each source with its questions and their ANSWER, without empty ones."""
    for source in SOURCES:
        sentences = ((report.words("asked", row.key), answer(row, report)) for row in ASKED if row.source == source)
        yield source, tuple(row for row in sentences if row[1])


def _answers(rows: tuple[tuple[str, str], ...], report: Content) -> Table:
    return Table(columns=report.words.each("asked", "question", "where"), rows=rows, widths=(1.1, 1.2))


def _where(row: PrintedQuestion, report: Content) -> str:
    words, places = report.words, []
    for section, paths in row.answers:
        if answered := [path for path in paths if _answered(path, report)]:
            places.append(words("asked", "stands", place=words("section", section), fields=_labels(answered, report)))
    return " ".join(places)


def _in_full(row: PrintedQuestion, report: Content) -> str:
    """Return the places of the answers, and the unanswered fields."""
    others = [path for path in row.fields if not _answered(path, report)]
    if any(_answered(path, report) for path in EITHER_ANSWERS):
        others = [path for path in others if path not in EITHER_ANSWERS]
    unanswered = report.words("asked", "open", fields=_labels(others, report)) if others else ""
    return f"{_where(row, report)} {unanswered}".strip()


def _answered(path: str, report: Content) -> bool:
    decision, release = report.decision, report.decision.release
    if path == BUDGET:
        return report.epsilon is not None
    if path in (PROMISES, NEEDS):
        asked = [requirement for requirement in decision.requirements if requirement.enabled]
        return any(each.step == "profile" if path == PROMISES else each.end == "lower" for each in asked)
    if path == "$.details.small_groups":
        return bool(report.record.drawn.groups)
    name = path.rpartition(".")[2]
    parts = release.parts if path.startswith("$.release.") else ()  # each of several tables may have its own
    values = (edits.get(decision, path), *(getattr(part, name, None) for part in parts))
    rows = (row for value in values for row in (value if isinstance(value, tuple) else (value,)))
    return any(row not in EMPTY for row in rows)  # a list of empty rows is no answer


def _labels(paths: list[str], report: Content) -> str:
    decision = report.decision
    return figures.listed(
        [
            report.words("asked", WHOLE[path]) if path in WHOLE else field_label((type(decision),), path, decision)
            for path in paths
        ]
    )
