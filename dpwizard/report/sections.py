"""The sections of the report behind its first page, each a function from the record's content to blocks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import fields

from dpwizard.base.errors import DPWizardError
from dpwizard.base.messages import recorded
from dpwizard.charts import Noise, RiskCurve, Scene, axis_chart
from dpwizard.decision import Answer, Decision, Details, Reason, edits, promises
from dpwizard.decision.requirements import RelativeRisk
from dpwizard.records import drawn
from dpwizard.records import label as label_at
from dpwizard.report import figures, particulars, values
from dpwizard.report.blocks import Block, Figure, Heading, Items, Note, Pairs, Paragraph, Table
from dpwizard.report.content import Content
from dpwizard.report.many_rows import names_briefly
from dpwizard.report.release_sections import MOST_IN_FULL, and_more, head
from dpwizard.report.values import pairs_of, promise_of, six_digits
from dpwizard.wording import chance, exactly, explain, field_label, number, whole, written

MOST_NOTES = 4  # of what is not kept, beside the table that marks each
MANY = 12  # requirements; of more, page two and three show the closest, and the annex a line of each


# ----------------------------------------------------------------------------------------- results


def results_section(found: Content) -> Iterator[Block]:
    words, window = found.words, found.window
    yield head(found, "results")
    yield Paragraph(text=" ".join(piece for piece in (found.said.window, found.said.position) if piece))
    for sentence in found.said.broken[:MOST_NOTES]:
        yield Note(text=sentence, tone="warning")
    yield from and_more(len(found.said.broken) - MOST_NOTES, found)
    if found.answers:
        shown = axis_chart.closest(_figure_rows(found))
        caption = words("results", "caption_empty" if window.empty else "caption")
        if len(shown) < len(found.answers):
            caption += " " + words("results", "caption_part", count=len(shown), all=whole(len(found.answers)))
        yield Figure(scene=_rows_scene(found), caption=caption)
        yield from _results(found)
        yield from _checked(found)


def _figure_rows(found: Content) -> tuple[axis_chart.Row, ...]:
    rows = []
    for answer, said in zip(found.answers, found.said.answers, strict=True):
        off = f"{said.bound} · {found.words('results', 'off_short')}"
        note = said.bound if answer.enabled else off
        rows.append(axis_chart.row_of(answer, name=said.title, note=note))
    return tuple(rows)


def _rows_scene(found: Content) -> Scene:
    window = found.window
    bound = window.binds_lower is not None or window.upper is not None
    return figures.requirement_rows(
        rows=axis_chart.closest(_figure_rows(found)),
        ends=None if window.empty or not bound else (window.lower, window.upper),
        chosen=found.epsilon,
        printed=found.printed_choice,
        said=(found.said.window, found.said.position),
        words=found.words,
        axis=found.decision.axis or "",
        readings={one.budget: one.told for one in found.record.drawn.axis},
    )


def _results(found: Content) -> Iterator[Block]:
    """Yield every answer; of many the closest, as the figure has them: the annex holds a line of each."""
    if len(found.answers) <= MANY:
        yield _results_table(found, range(len(found.answers)))
        return
    window = found.window
    ends = [index for index in (window.binds_upper, window.binds_lower) if index is not None]
    broken = [index for index, answer in enumerate(found.answers) if answer.enabled and answer.met is False]
    promises = [index for index, answer in enumerate(found.answers) if answer.enabled and answer.side == "upper"]
    shown = sorted(tuple(dict.fromkeys((*ends, *broken, *promises)))[:MANY])
    yield _results_table(found, shown)
    yield from and_more(len(found.answers) - len(shown), found)


def _results_table(found: Content, shown: Iterable[int]) -> Table:
    words, window = found.words, found.window
    rows = []
    for index in shown:
        answer, said = found.answers[index], found.said.answers[index]
        notes = [said.bound]
        if index in (window.binds_upper, window.binds_lower) and not window.empty:
            notes.append(words("results", "binds"))
        if answer.enabled and answer.met is False:
            notes.append(words("results", "not_kept"))
        if not answer.enabled:
            reason = found.decision.requirements[index].off_reason
            notes.append(words("results", "off_short"))
            given = words("results", "off", reason=reason) if reason else words("results", "off_unsaid")
        else:
            given = said.at_epsilon or (said.why if answer.epsilon is None else "–")
        grounds = words.of_model("grounds", answer.grounds) if answer.epsilon is not None and answer.grounds else "–"
        rows.append((said.title, "\n".join(notes), grounds, given))
    columns = tuple(words("results", key) for key in ("requirement", "epsilon", "grounds", "at_chosen"))
    return Table(columns=columns, rows=tuple(rows), widths=(1.5, 1.1, 1.1, 2.3))


def _checked(found: Content) -> Iterator[Block]:
    """Yield what was checked on the way from the release to each answer; once for all of which it is the same."""
    told: dict[tuple[str, ...], tuple[Answer, list[str]]] = {}
    for answer, said in zip(found.answers, found.said.answers, strict=True):
        if answer.enabled and explain.checked(answer):
            told.setdefault(answer.validity, (answer, []))[1].append(said.title)
    for answer, titles in told.values():
        names = titles if len(told) > 1 else ()
        yield Paragraph(text=explain.checked(answer, names, found.words.language), style="quiet")


def published_section(found: Content) -> Iterator[Block]:
    words = found.words
    rows = []
    for answer, said in zip(found.answers, found.said.answers, strict=True):
        if answer.as_published:
            rest = {name: value for name, value in answer.as_published.items() if name not in ("epsilon", "source")}
            figure = answer.as_published.get("epsilon")
            shown = number(figure) if isinstance(figure, int | float) else ""
            more = "; ".join(f"{name}: {values.written(name, value, words)}" for name, value in rest.items())
            printed = "\n".join(piece for piece in (shown, more) if piece)
            source = recorded(str(answer.as_published.get("source") or answer.source))
            rows.append((said.title, said.bound, printed, source))
    if rows:
        yield Heading(text=words("results", "published_title"), level=1)
        columns = tuple(words("results", key) for key in ("requirement", "audited", "as_published", "source"))
        caption = words("results", "published_note")
        yield Table(columns=columns, rows=tuple(rows), widths=(1.5, 1, 1, 2), caption=caption)


def in_full_section(found: Content) -> Iterator[Block]:
    words = found.words
    if not found.answers:
        return
    yield head(found, "in_full")
    if len(found.answers) > MANY:
        yield _results_table(found, range(len(found.answers)))
        return
    for requirement, answer, said in zip(found.decision.requirements, found.answers, found.said.answers, strict=True):
        yield Heading(text=said.title, level=2)
        rows = [(words("results", "kind"), words.of_model("kind", requirement.kind)), *pairs_of(requirement, words)]
        if answer.epsilon is not None:
            rows.append((words("results", answer.side), six_digits(answer.epsilon, answer.side)))
        rows += [(words("results", "why"), said.why), (words("results", "source"), recorded(answer.source))]
        yield Pairs(rows=tuple(row for row in rows if row[1]))


# ------------------------------------------------------------------- profiles and accuracy, drawn


def profiles_section(found: Content) -> Iterator[Block]:
    words, profiles = found.words, found.record.drawn.profiles
    small = sum(len(profile.curves) for profile in profiles) > 1
    for profile in profiles:
        index = profile.requirement
        requirement, said = found.decision.requirements[index], found.said.answers[index]
        if not profile.curves or not isinstance(requirement, RelativeRisk):
            continue
        yield head(found, "profile", name=said.title)
        yield Paragraph(text=f"{_capital(promise_of(requirement, words))}. {said.why}")
        for one in profile.curves:
            curve = _curve(one, found.answers[index])
            caption = words("profile", "caption" if curve.given else "caption_no_choice")
            if curve.other < 1:
                key = "caption_held" if curve.attained else "caption_near"
                caption = words("profile", key, caption=caption, other=chance(float(f"{curve.other:.3g}")))
            scene = figures.risk_profile(curve=curve, chosen=found.epsilon, words=words, small=small)
            yield Figure(scene=scene, caption=caption)
    yield from and_more(_profiles_in_all(found) - len(profiles), found)


def _profiles_in_all(found: Content) -> int:
    """Return how many risk profiles there are that could be drawn."""
    pairs = zip(found.decision.requirements, found.answers, strict=True)
    return sum(
        isinstance(asked, RelativeRisk) and asked.enabled and answer.status in ("allowed", "unbounded")
        for asked, answer in pairs
    )


def _curve(found: drawn.Curve, answer: Answer) -> RiskCurve:
    """Return a curve as it was FOUND, with what the ANSWER says of its limit."""
    binding = answer.binding.get(found.axis)
    return RiskCurve(
        axis=found.axis,
        other=found.other,
        priors=found.priors,
        allowed=tuple(map(_or_unbounded, found.allowed)),
        epsilons=tuple(map(_or_unbounded, found.epsilons)),
        given=tuple(map(_or_unbounded, found.given)),
        binding=binding if isinstance(binding, int | float) and binding else None,
        attained=answer.attained is not False,
        limit=answer.epsilon,
    )


def _or_unbounded(value: float | None) -> float:
    return math.inf if value is None else value


def _capital(clause: str) -> str:
    return clause[:1].upper() + clause[1:]


def accuracy_section(found: Content) -> Iterator[Block]:
    words, release, exactness = found.words, found.decision.release, found.record.drawn.accuracy
    yield head(found, "accuracy")
    if found.epsilon is None:
        yield Paragraph(text=words("accuracy", "none" if release.noise.absent else "not_chosen"))
    elif exactness is None:
        yield Paragraph(text=explain.word("why", promises.NOT_ONE_CURATOR, words.language))
    else:
        yield from _without_noise(exactness, found)
        if exactness.known and exactness.noises:
            yield from _noises(exactness, found)
        elif not exactness.known:
            yield Paragraph(text=words("accuracy", "unknown"))


def _without_noise(exactness: drawn.Accuracy, found: Content) -> Iterator[Block]:
    """Yield why some tables have no noise that could be drawn, each reason once."""
    for bare in exactness.without:
        if bare.reason == "noise_in_steps":
            steps = Reason(key=bare.reason, values={"step": bare.step})
            yield Paragraph(text=explain.why(steps, found.words.language))
        else:
            yield Paragraph(text=found.words("accuracy", bare.reason))


def _noises(exactness: drawn.Accuracy, found: Content) -> Iterator[Block]:
    words, whole_release = found.words, found.words("release", "whole")
    named = [([name or whole_release for name in noise.tables], _noise(noise)) for noise in exactness.noises]
    noises = _alike(named, found)
    if sum(len(tables) for tables, _ in named) == 1:
        yield Pairs(rows=tuple(zip(_accuracy_labels(found), _accuracy_figures(noises[0][1], found), strict=True)))
    elif len(noises) <= MANY:  # else the table of every table says it
        columns = (words("release", "part"), *_accuracy_labels(found))
        rows = tuple((name, *_accuracy_figures(noise, found)) for name, noise in noises)
        yield Table(columns=columns, rows=rows, widths=(1.4, 1.2, 1, 1, 1, 1.6))
    for name, noise in noises:
        if noise.values:
            caption = words("accuracy", "caption_part", part=name) if len(noises) > 1 else words("accuracy", "caption")
            yield Figure(scene=figures.noise_distribution(noise=noise, words=words), caption=caption)


def _noise(found: drawn.NumberNoise) -> Noise:
    return Noise(**{item.name: getattr(found, item.name) for item in fields(Noise)})


def _alike(noises: list[tuple[list[str], Noise]], found: Content) -> list[tuple[str, Noise]]:
    """Return every noise once, under the names of all tables that have it."""
    gathered: dict[tuple[str, ...], tuple[list[str], Noise]] = {}
    for tables, noise in noises:
        gathered.setdefault(_accuracy_figures(noise, found), ([], noise))[0].extend(tables)
    return [(names_briefly(names, found), noise) for names, noise in gathered.values()]


def _accuracy_labels(found: Content) -> tuple[str, ...]:
    return tuple(found.words("accuracy", key) for key in ("mechanism", "exact", "rmse", "mae", "interval"))


def _accuracy_figures(noise: Noise, found: Content) -> tuple[str, ...]:
    words = found.words
    exact = written(noise.exact, "hope") if noise.exact > 0 else words("accuracy", "never")
    half = written(noise.half_width, "figure")
    interval = words("accuracy", "interval_value", half_width=half, coverage=written(noise.coverage, "hope"))
    rmse, mae = written(noise.sd, "figure"), written(noise.mean_absolute, "figure")
    return words.of_model("mechanism", noise.mechanism), exact, rmse, mae, interval


# ------------------------------------------------------------- accounting, implementation, decision


def decision_section(found: Content) -> Iterator[Block]:
    words, decision, details = found.words, found.decision, found.decision.details
    yield head(found, "decision")
    chosen = found.no_epsilon if found.epsilon is None else exactly(found.epsilon)
    if isinstance(decision.rho, str) and found.epsilon is not None:
        chosen = words("decision", "fraction", rho=decision.rho, exactly=chosen)
    rows = [
        (words("decision", "outcome"), words.of_model("outcome", decision.outcome or "open")),
        (words("decision", "epsilon"), chosen),
    ]
    rows += [(words("decision", "position"), found.said.position)] if found.said.position else []
    for name in ("conditions", "review_date", "review_triggers", "authority", "approval_number"):
        rows.append(particulars.told(found, Details, name, getattr(details, name)))
    yield Pairs(rows=tuple(rows))
    yield Heading(text=words("decision", "justification"), level=2)
    yield from _typed(decision.justification, words("decision", "no_justification"))
    if found.record.assessment.inside is False and found.epsilon is not None:
        yield Heading(text=words("section", "exception"), level=2)
        missed = found.said.broken or (found.said.window,)
        yield Paragraph(text=words("decision", "exception"))
        yield Items(items=missed[:MOST_IN_FULL])
        yield from and_more(len(missed) - MOST_IN_FULL, found)
        yield Paragraph(text=words("decision", "reason"), style="quiet")
        yield from _typed(decision.exception_reason, words("decision", "no_reason"))
        yield Paragraph(text=words("decision", "second"), style="quiet")


def _typed(text: str | None, otherwise: str) -> Iterator[Block]:
    """Return what somebody typed, paragraph by paragraph."""
    pieces = [piece for piece in (text or "").replace("\r\n", "\n").split("\n\n") if piece.strip()]
    for piece in pieces:
        yield Paragraph(text=piece, style="typed")
    if not pieces:
        yield Paragraph(text=otherwise)


def missing_section(found: Content) -> Iterator[Block]:
    words, problems = found.words, found.record.assessment.problems
    if not problems:
        return
    yield head(found, "missing")
    rows = []
    for problem in problems:
        said = explain.say("problem", problem.key, problem.values, words.language)
        rows.append((_place(problem.where, found), said))
    yield Table(columns=(words("missing", "where"), words("missing", "what")), rows=tuple(rows), widths=(1, 2))


def _place(where: str, found: Content) -> str:
    """Return what stands at WHERE in words; the path itself where this version knows no such field."""
    try:
        steps = edits.steps(where)
        if len(steps) <= (3 if steps[0] == "requirements" else 2):
            return label_at(found.decision, where)
        field = field_label((Decision,), where, found.decision)
        return (
            f"{label_at(found.decision, f'$.requirements[{steps[1]}]')}: {field}"
            if steps[0] == "requirements"
            else field
        )
    except (DPWizardError, IndexError, ValueError):
        return where.removeprefix("$.")


# -------------------------------------------------------------------- limits, verification, integrity


def limits_section(found: Content) -> Iterator[Block]:
    yield head(found, "limits")
    yield Items(items=found.said.limits)
