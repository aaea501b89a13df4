"""The sections of the report behind its first page, each a function from the record's content to blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dpwizard.charts import Noise, Scene, axis_chart, curves
from dpwizard.decision import Decision, Details, Message, NumberSetting, edits, promises
from dpwizard.decision.requirements import RelativeRisk
from dpwizard.errors import DPWizardError
from dpwizard.messages import recorded
from dpwizard.records import label as label_at
from dpwizard.report import figures, particulars, values
from dpwizard.report.blocks import Block, Figure, Heading, Items, Note, Pairs, Paragraph, Table
from dpwizard.report.many_rows import names_briefly
from dpwizard.report.reading import Content, RecordedAnswer
from dpwizard.report.release_sections import MOST_IN_FULL, and_more, head
from dpwizard.report.values import every_digit, pairs_of, promise_of, scientific, where_ends_meet
from dpwizard.wording import chance, exactly, explain, field_label, justification, number, whole, written

MOST_PROFILES = 12  # risk profiles drawn, those that allow least
MOST_NOTES = 4  # of what is not kept, beside the table that marks each
MANY = 12  # requirements; of more, page two and three show the closest, and the annex a line of each
FEW_NOISES = 2  # noises drawn, from version 4 on
MOST_NOISES = 6  # tables of a publication whose noise is drawn


# ----------------------------------------------------------------------------------------- results


def results_section(found: Content) -> Iterator[Block]:
    words, window = found.words, found.window
    yield head(found, "results")
    window_said = words("edition", "window") if window.withheld else found.said.window
    yield Paragraph(text=" ".join(piece for piece in (window_said, found.said.position) if piece))
    for sentence in found.said.broken[:MOST_NOTES]:
        yield Note(text=sentence, tone="warning")
    yield from and_more(len(found.said.broken) - MOST_NOTES, found)
    if found.answers:
        shown = figures.closest(_figure_rows(found), _most_rows(found))
        caption = words("results", "caption_empty" if window.empty else "caption")
        if len(shown) < len(found.answers):
            caption += " " + words("results", "caption_part", count=len(shown), all=whole(len(found.answers)))
        yield Figure(scene=_rows_scene(found), caption=caption)
        yield from _results(found)
        yield from _checked(found)
        if found.version < 4:
            yield from published_section(found)


def _figure_rows(found: Content) -> tuple[axis_chart.Row, ...]:
    rows = []
    for index, (answer, said) in enumerate(zip(found.answers, found.said.answers, strict=True)):
        found_there = (answer.as_published or {}).get("epsilon") if found.version < 4 else None  # the annex has it
        published = float(found_there) if isinstance(found_there, int | float) and found_there > 0 else None
        rows.append(
            axis_chart.Row(
                name=said.title,
                note=_bound(index, found)
                if answer.enabled
                else f"{said.bound} · {found.words('results', 'off_short')}",
                side=answer.side,
                epsilon=answer.epsilon if answer.status == "allowed" else None,
                unbounded=answer.status == "unbounded",
                enabled=answer.enabled,
                published=figures.published(published, found.words) if published is not None else "",
                published_epsilon=published,
            )
        )
    return tuple(rows)


def _most_rows(found: Content) -> int:
    """Return how many requirements are drawn: no page is one figure of lines that say the same."""
    return figures.MOST_ROWS if found.version < 4 else MANY


def _bound(index: int, found: Content) -> str:
    """Return what the requirement at INDEX allows; from version 5 on one number where both ends of the window meet."""
    answer = found.answers[index]
    if answer.withheld:
        return found.words("edition", "answer")
    binds = found.version >= 5 and index in (found.window.binds_lower, found.window.binds_upper)
    return (where_ends_meet(found, answer.side) if binds else "") or found.said.answers[index].bound


def _rows_scene(found: Content) -> Scene:
    window = found.window
    bound = window.binds_lower is not None or window.upper is not None
    return figures.requirement_rows(
        rows=figures.closest(_figure_rows(found), _most_rows(found)),
        ends=None if window.empty or not bound else (window.lower, window.upper),
        chosen=found.epsilon,
        said=(found.said.window, found.said.position),
        words=found.words,
        decision=found.decision,
    )


def _results(found: Content) -> Iterator[Block]:
    """Yield every answer; of many the closest, as the figure has them: the annex holds a line of each."""
    if found.version < 4 or len(found.answers) <= MANY:
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
        notes = [_bound(index, found)]
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
    told: dict[tuple[str, ...], tuple[RecordedAnswer, list[str]]] = {}
    for answer, said in zip(found.answers, found.said.answers, strict=True):
        if answer.enabled and not answer.withheld and explain.checked(answer):
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
        yield Heading(text=words("results", "published_title"), level=2 if found.version < 4 else 1)
        columns = tuple(words("results", key) for key in ("requirement", "audited", "as_published", "source"))
        caption = words("results", "published_note")
        yield Table(columns=columns, rows=tuple(rows), widths=(1.5, 1, 1, 2), caption=caption)


def in_full_section(found: Content) -> Iterator[Block]:
    words = found.words
    if not found.answers:
        return
    yield head(found, "in_full")
    if found.version >= 4 and len(found.answers) > MANY:
        yield _results_table(found, range(len(found.answers)))
        return
    if len(found.answers) > MOST_IN_FULL:
        text = words("results", "too_many", count=whole(len(found.answers)), json=found.name)
        yield Paragraph(text=text, style="quiet")
        return
    for requirement, answer, said in zip(found.decision.requirements, found.answers, found.said.answers, strict=True):
        yield Heading(text=said.title, level=2)
        if answer.withheld:
            yield Paragraph(text=words("edition", "withheld"))
            continue
        rows = [(words("results", "kind"), words.of_model("kind", requirement.kind)), *pairs_of(requirement, words)]
        if answer.epsilon is not None:
            exact = f"{every_digit(answer.epsilon)}, {words('results', 'error', error=scientific(answer.error))}"
            rows.append((words("results", "limit" if answer.side == "upper" else "need"), exact))
        rows += [(words("results", "why"), said.why), (words("results", "source"), recorded(answer.source))]
        yield Pairs(rows=tuple(row for row in rows if row[1]))


# ------------------------------------------------------------------- profiles and accuracy, drawn


def profiles_section(found: Content) -> Iterator[Block]:
    words = found.words
    ranked = sorted(
        (
            (answer.epsilon if answer.epsilon is not None else float("inf"), index)
            for index, (requirement, answer) in enumerate(zip(found.decision.requirements, found.answers, strict=True))
            if isinstance(requirement, RelativeRisk)
            and requirement.enabled
            and answer.status in ("allowed", "unbounded")
            and not answer.withheld
        )
    )
    drawn = {index: _curves(found, index) for index in sorted(index for _, index in ranked[:MOST_PROFILES])}
    small = sum(len(found_here) for found_here in drawn.values()) > 1
    for index, shown in drawn.items():
        requirement, said = found.decision.requirements[index], found.said.answers[index]
        if not shown or not isinstance(requirement, RelativeRisk):
            continue
        yield head(found, "profile", name=said.title)
        yield Paragraph(text=f"{_capital(promise_of(requirement, words))}. {said.why}")
        for curve in shown:
            caption = words("profile", "caption" if curve.given else "caption_no_choice")
            if curve.other < 1:
                key = "caption_held" if curve.attained else "caption_near"
                caption = words("profile", key, caption=caption, other=chance(float(f"{curve.other:.3g}")))
            scene = figures.risk_profile(curve=curve, chosen=found.epsilon, words=words, small=small)
            yield Figure(scene=scene, caption=caption)
    yield from and_more(len(ranked) - MOST_PROFILES, found)


def _curves(found: Content, index: int) -> tuple[curves.RiskCurve, ...]:
    requirement, answer = found.decision.requirements[index], found.answers[index]
    if not isinstance(requirement, RelativeRisk):
        return ()
    binding = {name: value for name, value in answer.binding.items() if isinstance(value, int | float)}
    figures_of = {"status": answer.status, "binding": binding, "attained": answer.attained, "epsilon": answer.epsilon}
    return curves.risk_curves(requirement, found.decision.release, figures_of, found.epsilon)


def _capital(clause: str) -> str:
    return clause[:1].upper() + clause[1:]


def accuracy_section(found: Content) -> Iterator[Block]:
    words, release, epsilon = found.words, found.decision.release, found.epsilon
    yield head(found, "accuracy")
    if epsilon is None:
        yield Paragraph(text=words("accuracy", "none" if release.noise.absent else "not_chosen"))
        return
    if not promises.of_one_curator(release):
        yield Paragraph(text=explain.word("why", promises.NOT_ONE_CURATOR, words.language))
        return
    noises: list[tuple[str, Noise]] = []
    for table in release.tables:
        setting = release.number_setting(table.name)
        if not isinstance(setting, NumberSetting):
            yield Paragraph(text=words("accuracy", "unknown"))
            return
        noise = curves.noise(setting, epsilon)
        if noise is not None:
            noises.append((table.name or words("release", "whole"), noise))
        else:
            reason = explain.why(Message(key="noise_in_steps", figures={"step": setting.step}), words.language)
            known = words("accuracy", "none" if setting.noise is None else "useless")
            yield Paragraph(text=reason if setting.in_steps else known)
    if not noises:
        return
    if len(noises) == 1:
        yield Pairs(rows=tuple(zip(_accuracy_labels(found), _accuracy_figures(noises[0][1], found), strict=True)))
    else:
        if found.version >= 4:
            noises = _alike(noises, found)
        if found.version < 4 or len(noises) <= MANY:  # else the table of every table says it
            columns = (words("release", "part"), *_accuracy_labels(found))
            rows = tuple((name, *_accuracy_figures(noise, found)) for name, noise in noises)
            yield Table(columns=columns, rows=rows, widths=(1.4, 1.2, 1, 1, 1, 1.6))
    for name, noise in noises[: MOST_NOISES if found.version < 4 else FEW_NOISES]:
        caption = words("accuracy", "caption_part", part=name) if len(noises) > 1 else words("accuracy", "caption")
        yield Figure(scene=figures.noise_distribution(noise=noise, words=words), caption=caption)


def _alike(noises: list[tuple[str, Noise]], found: Content) -> list[tuple[str, Noise]]:
    """Return every noise once, under the names of all tables that have it."""
    gathered: dict[tuple[str, ...], tuple[list[str], Noise]] = {}
    for name, noise in noises:
        gathered.setdefault(_accuracy_figures(noise, found), ([], noise))[0].append(name)
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
        rows.append(particulars.told(found, "$.details", Details, name, getattr(details, name)))
    yield Pairs(rows=tuple(rows))
    yield Heading(text=words("decision", "justification"), level=2)
    yield from _typed(decision.justification, _or_left_out(found, "$.justification", "no_justification"))
    if found.version >= 5 and decision.justification and justification.is_only_drafted(decision.justification):
        yield Paragraph(text=words("decision", "as_drafted"), style="quiet")
    if found.record.assessment.inside is False and found.epsilon is not None:
        yield Heading(text=words("section", "exception"), level=2)
        missed = found.said.broken or (found.said.window,)
        yield Paragraph(text=words("decision", "exception"))
        yield Items(items=missed[:MOST_IN_FULL])
        yield from and_more(len(missed) - MOST_IN_FULL, found)
        yield Paragraph(text=words("decision", "reason"), style="quiet")
        yield from _typed(decision.exception_reason, _or_left_out(found, "$.exception_reason", "no_reason"))
        yield Paragraph(text=words("decision", "second"), style="quiet")


def _or_left_out(found: Content, where: str, key: str) -> str:
    return found.absent(where) if found.withheld(where) else found.words("decision", key)


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
        try:
            said = explain.say("problem", problem.key, problem.with_, words.language)
        except (KeyError, ValueError, TypeError):  # a later version's problem, or one whose figures are damaged
            said = problem.key
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
