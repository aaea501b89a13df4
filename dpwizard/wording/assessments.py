"""An assessment in sentences: requirement results, the allowed range, the choice, and what releases cost in all."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from dpwizard.base.language import counting, known_word
from dpwizard.decision import Assessment, BaseRequirement, Decision, Reason, Release, RequirementResult
from dpwizard.decision.requirements import RelativeRisk, kinds, people_of
from dpwizard.wording.field_words import field_label
from dpwizard.wording.figures import SMALL, chance, listed, one_denominator
from dpwizard.wording.printed_range import PrintedRange, as_typed, bound_in, printed_range, range_of
from dpwizard.wording.texts import field_name, format_text, word


def title(answer: RequirementResult) -> str:
    """Return what a requirement is called: the officer's name for it, or its kind and which of several tables."""
    if answer.name or answer.part is None:
        return answer.name or word("kind", answer.kind)
    return format_text("implied", "of_part", {"measure": word("kind", answer.kind), "part": answer.part})


def why(message: Reason, *, kind: str = "") -> str:
    """Return the reason for an answer as a sentence; unanswered fields have the labels of a requirement of KIND."""
    figures = dict(message.values)
    if kind and "fields" in figures:
        figures["fields"] = field_labels(figures["fields"], kind)
    return format_text("why", message.key, figures)


def field_labels(names: Sequence[str], kind: str) -> tuple[str, ...]:
    """Return what the fields NAMES of a requirement of KIND, or paths of a release, are called."""
    return tuple(field_name(name) if name.startswith("$.") else field_label((kinds()[kind],), name) for name in names)


def checked(answer: RequirementResult, names: Sequence[str] = ()) -> str:
    """Return the checks passed from the release to ANSWER, or to those called NAMES; nothing where it claims nothing.

    An answer that does not reach the release stops at the check that failed: what comes after it was not looked at.
    """
    if answer.status == "not_applicable":
        return ""
    sentences = [words for words in (known_word("check", key) for key in answer.validity) if words]
    figures = {"checks": listed(sentences), "names": names}
    return format_text("check", "passed_of" if names else "passed", figures) if sentences else ""


def bound(answer: RequirementResult, shown: PrintedRange) -> str:
    """Return an answer in three words beside the range SHOWN: "at most 2.19", "at least 2.20", or its status."""
    if answer.side == "verdict" and answer.met is not None:
        return word("verdict", "kept" if answer.met else "not_kept")
    if answer.status != "allowed" or answer.epsilon is None:
        return word("status", answer.status)
    return format_text("unit", f"epsilon_{answer.side}", {"epsilon": bound_in(shown, answer)})


def at_epsilon(answer: RequirementResult) -> str:
    """Return what the chosen budget gives, or an empty text where nothing can be said."""
    if not answer.at_epsilon:
        return ""
    keys = (_key_of(answer), *_beside(answer))
    with counting(answer.counted_in):
        return " ".join(format_text("at_epsilon", key, answer.at_epsilon) for key in keys)


def at_choice(given: str) -> str:
    """Return GIVEN, said to be of the chosen budget; nothing where nothing is given."""
    return format_text("at_epsilon", "chosen", {"said": given}) if given else ""


def _key_of(answer: RequirementResult) -> str:
    """Return the key of the sentence on the chosen epsilon's gain; one unattained or not known has its own."""
    at = answer.at_epsilon
    if "cells" in at:
        return f"{answer.kind}_sum"
    if "rho_total" in at:
        return "budget_rho"
    if "chance_of_more" in at:
        return "persuasive_privacy_rarely"
    if "guessed_after" in at:
        return "guessing_advantage_expected"
    if "mean_ratio" in at:
        return "relative_risk_average" if "mean_posterior" in at else "relative_risk_average_limit"
    if "tolerance" in at:
        end = "" if "posterior" in at else "_certain" if "odds" in at else "_limit"
        return f"relative_risk_tolerance{end}"
    # a limit, at beliefs of nothing or of certainty
    if answer.kind == "relative_risk" and at and "posterior" not in at:
        end, figure = ("certain", at["odds"]) if "odds" in at else ("limit", at["ratio"])
        return f"relative_risk_{end}" if math.isfinite(figure) else f"relative_risk_{end}_open"
    if answer.kind == "privacy_at_risk" and at and at["confidence"] is None:
        return "privacy_at_risk_open"
    return answer.kind


def _beside(answer: RequirementResult) -> tuple[str, ...]:
    """Return the keys of the sentences beside a requirement that may fail for some people."""
    at = answer.at_epsilon
    if "tolerance" not in at:
        return ()
    others = "others_within" if "largest" in at else "others_without_limit"
    beside = {"predictive": "predictive" in at, "not_the_delta": "delta" in at}
    return (others, *(key for key, applies in beside.items() if applies))


def at_limit(requirement: BaseRequirement, answer: RequirementResult) -> tuple[str, tuple[float, float] | None]:
    """Return what a relative risk's binding adversary may learn at the limit, and the chances out of 100."""
    if not isinstance(requirement, RelativeRisk) or answer.status != "allowed" or requirement.profile is None:
        return "", None
    p, q = _just_inside(requirement, answer)
    before = p * q
    if before == 1.0:
        return "", None  # certainty cannot rise
    after = min(1.0, before * float(requirement.profile.ratio_at(p, q)))
    counted, most = one_denominator(before, after)
    figures = {"before": before, "counted": counted, "after": most}
    if answer.why.key != "tolerance_buys_nothing" and requirement.statement != "certain":
        figures |= dict(zip(("people", "few"), people_of(requirement.tolerance or 1.0), strict=True))
        return format_text(
            "meaning", f"at_limit_{requirement.statement}", figures
        ), None  # some exceed the chance after
    key = "at_limit" if counted == chance(before) else "at_limit_counted"
    return format_text("meaning", key, figures), (100 * before, 100 * after)


def _just_inside(requirement: RelativeRisk, answer: RequirementResult) -> tuple[float, float]:
    """Return the priors that set the limit; for a limit that is not attained, priors just inside the range."""
    at = [float(answer.binding.get(name) or 0.0) for name in ("p", "q")]
    both_certain = at == [1.0, 1.0]
    for index, belief in enumerate(requirement.beliefs()):
        low, high = belief if isinstance(belief, tuple) else (belief or 0.0, belief or 1.0)
        if at[index] == 0.0:
            at[index] = min(SMALL, high)
        elif both_certain and low < 1.0:
            at[index] = max(1.0 - SMALL, low)
    return at[0], at[1]


def violation(requirement: BaseRequirement, answer: RequirementResult, chosen: float | None) -> str:
    """Return that the CHOSEN budget does not keep REQUIREMENT."""
    key = _key_of(answer) if known_word("broken", _key_of(answer)) and answer.at_epsilon else answer.side
    lower = answer.side == "lower"
    shown = printed_range(answer.epsilon if lower else None, None if lower else answer.epsilon, chosen)
    figures = {
        **answer.at_epsilon,
        "at_most": getattr(requirement, "at_most", None),
        "chosen": shown.chosen and shown.chosen.text,
        "limit": bound_in(shown, answer),
        "name": title(answer),
    }
    return format_text("broken", key, figures)


def window(assessment: Assessment) -> str:
    """Return the allowed range in a sentence: its ends, or which requirements conflict."""
    allowed = assessment.window
    with counting(assessment.counted_in):
        shown = range_of(assessment)
        figures = {
            "lower": shown.lower and shown.lower.text,
            "upper": shown.upper and shown.upper.text,
            "names": [title(assessment.answers[at]) for at in allowed.conflict],
        }
        sentences = [format_text("window", _window_key(assessment, shown), figures)]
        if any(answer.enabled and answer.uneven for answer in assessment.answers):
            sentences.append(word("window", "uneven"))
        if not allowed.complete and assessment.answers:
            sentences.append(word("window", "incomplete"))
        return " ".join(sentences)


def _window_key(assessment: Assessment, shown: PrintedRange) -> str:
    if assessment.window.empty:
        # none of them against another
        each = all(assessment.answers[index].status == "infeasible" for index in assessment.window.conflict)
        return "alone" if each else "empty"
    if shown.single:
        return "touching"
    if any(answer.side == "verdict" and answer.met for answer in assessment.answers if answer.enabled):
        return "verdicts"
    ends = (shown.lower is not None, shown.upper is not None)
    return {(False, False): "open", (False, True): "upper", (True, False): "lower", (True, True): "both"}[ends]


def position(assessment: Assessment) -> str:
    """Return whether the chosen epsilon is allowed; an empty text if none is chosen or no requirement sets a limit."""
    allowed = assessment.window
    unset = not allowed.empty and allowed.binds_lower is None and allowed.binds_upper is None
    if assessment.epsilon is None or assessment.inside is None or unset:
        return ""
    with counting(assessment.counted_in):
        shown = range_of(assessment)
        key = "outside" if not assessment.inside else "inside_meeting" if shown.single else "inside"
        return format_text("window", key, {"chosen": shown.chosen and shown.chosen.text})


def conversions(assessment: Assessment) -> str:
    """Return what Gaussian noise costs in all as rho, and as epsilon at delta with the rule that says so."""
    accounting = assessment.accounting
    if not accounting.conversions:
        return ""
    rules = [format_text("conversion", bound.rule, {"epsilon": bound.epsilon}) for bound in accounting.conversions]
    return format_text("conversion", "told", {"rho": accounting.rho, "delta": accounting.delta, "by": listed(rules)})


def whole_curve(assessment: Assessment) -> str:
    """Return the loss of everything released together: epsilon at each standard delta, and mu.

    Nothing where that is not known. Takes as long as reading the curve does.
    """
    accounting = assessment.accounting
    if not accounting.at_delta:
        return ""
    known = {point.delta: point.epsilon for point in accounting.at_delta if point.epsilon is not None}
    read = [format_text("whole_curve", "point", {"epsilon": e, "delta": d}) for d, e in known.items()]
    sentences = [format_text("whole_curve", "epsilons", {"points": listed(read)})] if read else []
    if accounting.gdp_mu is not None:
        sentences.append(format_text("whole_curve", "mu", {"mu": accounting.gdp_mu}))
    return " ".join(sentences) or word("whole_curve", "unbounded")


def accounting(decision: Decision) -> str:
    """Return what this release and the earlier ones come to, by basic composition, in a sentence."""
    release, epsilon = decision.release, decision.chosen
    if release.noise.absent:
        return word("why", "exact_has_no_epsilon")
    spent = release.spent_before()
    if epsilon is None or spent is None:
        return word("budget", "open" if epsilon is None else "open_earlier")
    chosen_text = as_typed(epsilon)
    costs = {"this": release.cost(epsilon), "spent": spent, "total": release.cost_in_all(epsilon)}
    figures: dict[str, Any] = {name: chosen_text if cost == epsilon else cost for name, cost in costs.items()}
    figures |= {"epsilon": chosen_text, "repetitions": release.repetitions}
    with counting(release.counted_in):
        return format_text("budget", "spent" if spent else "alone", figures)


def in_total(decision: Decision, epsilon: float | None = None) -> str:
    """Return what EPSILON (None: the one chosen) for each release comes to in all, in a sentence.

    Empty where one release is all there is, or where an earlier one does not say what it took. Losses are simply added
    up, so it is never less than what all of them lose.
    """
    release, each = decision.release, decision.chosen if epsilon is None else epsilon
    if each is None or release.noise.absent or (release.repetitions == 1 and not release.spent):
        return ""
    total = release.cost_in_all(each)
    if total is None:
        return ""
    key = "each_and_before" if release.spent and release.repetitions > 1 else "before" if release.spent else "each"
    return format_text("in_total", key, {"epsilon": each, "repetitions": release.repetitions, "total": total})


def window_in_total(decision: Decision, assessment: Assessment) -> str:
    """Return what the ends of the window come to in all, in a few characters; empty where one release is all."""
    window, release = assessment.window, decision.release
    if window.empty or release.noise.absent or (release.repetitions == 1 and not release.spent):
        return ""
    lower = None if window.binds_lower is None else release.cost_in_all(window.lower)
    upper = None if window.binds_upper is None or window.upper is None else release.cost_in_all(window.upper)
    shown = printed_range(lower, upper)
    figures = {"lower": shown.lower and shown.lower.text, "upper": shown.upper and shown.upper.text}
    if shown.single:
        return format_text("in_total", "at_most", figures)
    if lower is not None and upper is not None:
        return format_text("in_total", "between", figures)
    return "" if lower is upper else format_text("in_total", "at_least" if upper is None else "at_most", figures)


def release_in_words(release: Release) -> tuple[str, ...]:
    """Return what a release protects, as far as described: who is protected as one, what one can change."""
    unit = release.unit or word("release", "unit")
    sentences = []
    if release.unit:
        sentences.append(format_text("release", "unit_is", {"unit": unit, "contributions": release.rows}))
    if release.neighbours is not None and release.sensitivity is not None:
        sentences.append(format_text("release", release.neighbours, {"sensitivity": release.sensitivity}))
    if release.noise.absent:
        sentences.append(word("release", "no_noise"))
    for mechanism in [one for one in release.noise.each if one.noise is not None][:1]:
        sentences.append(format_text("release", "noise", {"mechanism": word("mechanism", mechanism.name)}))
    if release.repetitions > 1:
        sentences.append(format_text("release", "repeated", {"repetitions": release.repetitions}))
    return tuple(sentences) or (word("release", "open"),)
