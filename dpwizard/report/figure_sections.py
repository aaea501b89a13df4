"""Annex A3: the figures, and the tables behind them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import fields

from dpwizard.charts import DrawnNoise, RiskCurve
from dpwizard.decision import Reason, RequirementResult, release_flaws
from dpwizard.decision.requirements import RelativeRisk
from dpwizard.records import drawn
from dpwizard.report import figures as drawings
from dpwizard.report.blocks import Block, Figure, Pairs, Paragraph, Table
from dpwizard.report.content import Content
from dpwizard.report.many_rows import and_more, are_many, common_and_differing, names_briefly
from dpwizard.report.page_one import width
from dpwizard.report.release_sections import head
from dpwizard.report.values import promise_of
from dpwizard.wording import assessments, chance, figures, range_of, share_up, texts, written

# ------------------------------------------------------------------------------------------------- profiles


def profiles_section(report: Content) -> Iterator[Block]:
    words, profiles = report.words, report.record.drawn.profiles
    small = sum(len(profile.curves) for profile in profiles) > 1
    for profile in profiles:
        index = profile.requirement
        requirement, wording = report.decision.requirements[index], report.sentences.answers[index]
        if not profile.curves or not isinstance(requirement, RelativeRisk):
            continue
        yield head(report, "profile", name=wording.title)
        promise = promise_of(requirement, words)
        yield Paragraph(text=f"{promise[:1].upper()}{promise[1:]}. {wording.why}")
        for stored in profile.curves:
            curve = _curve(stored, report.answers[index])
            caption = words("profile", "caption" if curve.given else "caption_no_choice")
            if curve.other < 1:
                key = "caption_held" if curve.attained else "caption_near"
                caption = words("profile", key, caption=caption, other=chance(float(f"{curve.other:.3g}")))
            scene = drawings.risk_profile(
                curve=curve, chosen=range_of(report.record.assessment).chosen, words=words, small=small
            )
            yield Figure(scene=scene, caption=caption)
    pairs = zip(report.decision.requirements, report.answers, strict=True)
    with_profile = [asked for asked, answer in pairs if asked.enabled and answer.status in ("allowed", "unbounded")]
    yield from and_more(sum(isinstance(asked, RelativeRisk) for asked in with_profile), report, len(profiles))


def _curve(stored: drawn.Curve, answer: RequirementResult) -> RiskCurve:
    """Return a STORED curve with the limit in the ANSWER."""
    binding = answer.binding.get(stored.axis)
    return RiskCurve(
        axis=stored.axis,
        other=stored.other,
        priors=stored.priors,
        allowed=tuple(map(_or_unbounded, stored.allowed)),
        epsilons=tuple(map(_or_unbounded, stored.epsilons)),
        given=tuple(map(_or_unbounded, stored.given)),
        binding=binding if isinstance(binding, int | float) and binding else None,
        attained=answer.attained is not False,
        limit=answer.epsilon,
    )


def _or_unbounded(value: float | None) -> float:
    return math.inf if value is None else value


def accuracy_section(report: Content) -> Iterator[Block]:
    words, release, exactness = report.words, report.decision.release, report.record.drawn.accuracy
    yield head(report, "accuracy")
    if report.epsilon is None:
        yield Paragraph(text=words("accuracy", "none" if release.noise.absent else "not_chosen"))
    elif exactness is None:
        yield Paragraph(text=texts.word("why", release_flaws.NOT_ONE_CURATOR, words.language))
    else:
        yield from _without_noise(exactness, report)
        if release.adds_up:
            yield Paragraph(text=words.of_model("tables", "added_noise"), style="quiet")
        if exactness.known and exactness.noises:
            yield from _noises(exactness, report)
        elif not exactness.known:
            yield Paragraph(text=words("accuracy", "unknown"))


def _without_noise(exactness: drawn.Accuracy, report: Content) -> Iterator[Block]:
    """Yield the reasons why the noise of some tables is not drawn, each once."""
    for bare in exactness.without:
        if bare.reason == "noise_in_steps":
            steps = Reason(key=bare.reason, values={"step": bare.step})
            yield Paragraph(text=assessments.why(steps))
        else:
            yield Paragraph(text=report.words("accuracy", bare.reason))


def _noises(exactness: drawn.Accuracy, report: Content) -> Iterator[Block]:
    words, whole_release = report.words, report.words("release", "whole")
    names = {item.name for item in fields(DrawnNoise)}
    named = [
        ([name or whole_release for name in stored.tables], DrawnNoise(**{key: getattr(stored, key) for key in names}))
        for stored in exactness.noises
    ]
    noises = _alike(named, report)
    labels = words.each("accuracy", "mechanism", "exact", "rmse", "mae", "interval")
    if sum(len(tables) for tables, _ in named) == 1:
        yield Pairs(rows=tuple(zip(labels, _accuracy_figures(noises[0][1], report), strict=True)))
    elif not are_many(noises):  # else the table of all tables has it
        rows = tuple((name, *_accuracy_figures(noise, report)) for name, noise in noises)
        yield from common_and_differing((words("release", "part"), *labels), rows, ())
    for name, noise in noises:
        if noise.values:
            caption = words("accuracy", "caption_part", part=name) if len(noises) > 1 else words("accuracy", "caption")
            yield Figure(scene=drawings.noise_distribution(noise=noise, words=words), caption=caption)


def _alike(noises: list[tuple[list[str], DrawnNoise]], report: Content) -> list[tuple[str, DrawnNoise]]:
    """Return each distinct noise with the names of all its tables."""
    gathered: dict[tuple[str, ...], tuple[list[str], DrawnNoise]] = {}
    for tables, noise in noises:
        gathered.setdefault(_accuracy_figures(noise, report), ([], noise))[0].extend(tables)
    return [(names_briefly(names, report), noise) for names, noise in gathered.values()]


def _accuracy_figures(noise: DrawnNoise, report: Content) -> tuple[str, ...]:
    words = report.words
    exact = written(noise.exact, "hope") if noise.exact > 0 else words("accuracy", "never")
    half = written(noise.half_width, "figure")
    interval = words("accuracy", "interval_value", half_width=half, coverage=written(noise.coverage, "hope"))
    rmse, mae = written(noise.sd, "figure"), written(noise.mean_absolute, "figure")
    return words.of_model("mechanism", noise.mechanism), exact, rmse, mae, interval


# ------------------------------------------------------------------------------------------------- small groups


def small_groups_section(report: Content) -> Iterator[Block]:
    words, release, groups = report.words, report.decision.release, report.record.drawn.groups
    if not groups:
        if report.decision.details.small_groups:
            yield Paragraph(text=words("asked", "small_unknown"))
        return
    yield head(report, "small_groups")
    yield Paragraph(text=words("asked", "small_groups_about"))
    several = len({group.tables for group in groups}) > 1
    first = 0 if several else 1  # one table need not be named
    keys = ("small_tables", "small_count", "small_width", "small_tenth", "small_half", "small_gone")
    yield Table(
        columns=words.each("asked", *keys)[first:],
        rows=tuple(_group(group, report)[first:] for group in groups),
        widths=(1.6, 0.7, 0.9, 1.1, 1.1, 1.1)[first:],
        numbers=tuple(range(1 - first, 6 - first)),
    )
    for kind in release.processing:
        if kind != "consistency" or not release.adds_up:  # the groups are those of the tables that add up
            yield Paragraph(text=words("noise_sheet", f"after_{kind}"), style="quiet")


def _group(group: drawn.Group, report: Content) -> tuple[str, ...]:
    tables = names_briefly([name or report.words("release", "whole") for name in group.tables], report)
    chances = map(share_up, (group.off_by_tenth, group.off_by_half, group.gone))
    return (tables, figures.whole(group.count), f"± {width(group.half_width)}", *chances)
