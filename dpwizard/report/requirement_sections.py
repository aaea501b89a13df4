"""Annex A1, second half: the requirements, their limits and their basis, and the assumptions."""

from __future__ import annotations

from collections.abc import Iterator

from dpwizard.base.messages import recorded
from dpwizard.decision import Acknowledgement, RequirementResult
from dpwizard.questions import names_in_short
from dpwizard.report import values
from dpwizard.report.blocks import Block, Heading, Items, Paragraph, Table
from dpwizard.report.content import Content
from dpwizard.report.many_rows import MOST_ROWS, and_more, are_many
from dpwizard.report.release_sections import head
from dpwizard.report.values import pairs_of, six_digits
from dpwizard.wording import assessments, figures, number


def requirements_section(report: Content) -> Iterator[Block]:
    """Yield each requirement with its limit, basis and source, and the checks that were made."""
    words = report.words
    yield head(report, "results")
    if not report.answers:
        yield Paragraph(text=words("adversaries", "none"))
        return
    many = are_many(report.answers)
    rows = tuple(_row(index, report, many) for index in range(len(report.answers)))
    shown = names_in_short.alike(rows) if many else rows
    yield Table(
        columns=words.each("results", "requirement", "asks", "limit", "grounds"),
        rows=shown[:MOST_ROWS],
        widths=(3.4, 1.8, 0.8, 1.5) if many else (1.1, 3.0, 0.8, 1.5),
    )
    yield from and_more(len(shown), report)
    yield from _published(report)
    yield from _checked(report)


def _row(index: int, report: Content, many: bool) -> tuple[str, str, str, str]:
    """Return the requirement at INDEX, its fields unless there are MANY, its result, its limit, and its basis."""
    words, window, requirement = report.words, report.window, report.decision.requirements[index]
    answer, wording = report.answers[index], report.sentences.answers[index]
    given = assessments.at_choice(wording.at_epsilon) or (wording.why if answer.epsilon is None else "")
    asked = [] if many else [f"{name}: {value}" for name, value in pairs_of(requirement, words)]
    limit = [wording.bound if answer.epsilon is None else six_digits(answer.epsilon, answer.side)]
    binds = index in (window.binds_upper, window.binds_lower) and not window.empty
    limit += [words("results", "binds")] if binds else []
    limit += [words("results", "not_kept")] if answer.enabled and answer.met is False else []
    if not answer.enabled:
        limit.append(words("results", "off_short"))
        reason = requirement.off_reason
        given = words("results", "off", reason=reason) if reason else words("results", "off_unsaid")
    grounds = [words.of_model("grounds", answer.grounds)] if answer.epsilon is not None and answer.grounds else []
    kind = words.of_model("kind", requirement.kind)
    titles = [wording.title] if many or wording.title == kind else [wording.title, kind]
    asked += [given] if given else []
    return "\n".join(titles), " · ".join(asked), "\n".join(limit), "\n".join([*grounds, recorded(answer.source)])


def _published(report: Content) -> Iterator[Block]:
    """Yield published limits from papers, and the exact ones."""
    words, rows = report.words, []
    for answer, wording in zip(report.answers, report.sentences.answers, strict=True):
        if answer.as_published:
            rest = {name: value for name, value in answer.as_published.items() if name not in ("epsilon", "source")}
            figure = answer.as_published.get("epsilon")
            shown = number(figure) if isinstance(figure, int | float) else ""
            more = "; ".join(f"{name}: {values.written(name, value, words)}" for name, value in rest.items())
            source = recorded(str(answer.as_published.get("source") or answer.source))
            rows.append((wording.title, wording.bound, "\n".join(piece for piece in (shown, more) if piece), source))
    if rows:
        yield Heading(text=words("results", "published_title"), level=2)
        columns = words.each("results", "requirement", "audited", "as_published", "source")
        caption = words("results", "published_note")
        yield Table(columns=columns, rows=tuple(rows), widths=(1.5, 1, 1, 2), caption=caption)


def _checked(report: Content) -> Iterator[Block]:
    """Yield the checks made for each answer; equal ones once."""
    by_checks: dict[tuple[str, ...], tuple[RequirementResult, list[str]]] = {}
    for answer, sentence in zip(report.answers, report.sentences.answers, strict=True):
        if answer.enabled and assessments.checked(answer):
            by_checks.setdefault(answer.validity, (answer, []))[1].append(sentence.title)
    for answer, titles in by_checks.values():
        names = tuple(dict.fromkeys(titles)) if len(by_checks) > 1 else ()
        yield Paragraph(text=assessments.checked(answer, names), style="quiet")


# ------------------------------------------------------------------------------------------------- assumptions


def assumptions_section(report: Content) -> Iterator[Block]:
    """Yield the assumptions verbatim, and the answers to them."""
    words = report.words
    if not report.sentences.assumed:
        yield Paragraph(text=words("adversaries", "assumptions_none"), style="quiet")
        return
    acknowledged = {item.assumption: item for item in report.decision.acknowledged}
    rows = []
    for assumption, text in zip(report.sentences.assumed, report.sentences.assumptions, strict=True):
        item = acknowledged.get(assumption)
        typed = "" if item is None or item.text == text else f"\n{figures.quoted(item.text)}"
        rows.append((text + typed, _answered(item, report)))  # both are printed
    yield Table(columns=words.each("adversaries", "assumption", "state"), rows=tuple(rows), widths=(3.2, 1))


def _answered(item: Acknowledgement | None, report: Content) -> str:
    if item is None:
        return report.words("adversaries", "not_acknowledged")
    answered = item.state if item.state in ("refused", "open") else "acknowledged"
    sentences = [report.words("adversaries", f"{answered}_at" if item.time else answered, time=item.time)]
    sentences += [item.reason] if item.reason else []
    sentences += [report.words("adversaries", "vouched_by", name=item.vouched_by)] if item.vouched_by else []
    return "\n".join(sentences)


def limits_section(report: Content) -> Iterator[Block]:
    """Yield the meaning of the budget for everyone, and the limits of the guarantee."""
    if report.sentences.meaning:
        yield Heading(text=report.words("section", "meaning"), level=2)
        yield Items(items=report.sentences.meaning)
    yield Heading(text=report.words("section", "limits"), level=2)
    yield Items(items=report.sentences.limits)
