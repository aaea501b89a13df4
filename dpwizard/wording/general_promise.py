"""What a chosen epsilon means for one person and for an intruder whom nobody named: true of every release it speaks of.

Each sentence reads the release as the limits do: the pair of worlds it compares, repetitions, tables and what is spent.
Under Gaussian noise no ratio holds for every release (docs/methods/gaussian.md): what is said there is said of events.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from dpwizard.decision import DOUBLE, Decision, PrivacySetting, Release, UnitPresent, ValueChanged, promises
from dpwizard.numerics import up
from dpwizard.wording.explain import say, word

COUNTS = (100, 1_000, 10_000, 100_000, 1_000_000)  # out of how many outcomes: the smallest that leaves one to count
RARE = 10, 1_000  # an event under Gaussian noise is looked at that befalls so many of so many without the record


class Worlds(NamedTuple):
    """Of OUT_OF outcomes at most SEEN point to a person rightly, at least UNSEEN wrongly; both errors are alike."""

    out_of: int
    seen: int
    unseen: int


def two_worlds(epsilon: float, delta: float = 0.0) -> Worlds | None:
    """Return how well two worlds can be told apart at (EPSILON, DELTA), at most; None where next to nothing limits it.

    Of a rule that errs with the same chance x in either world, 1 - x <= e^epsilon x + delta, so x >= (1 - delta) / (1 +
    e^epsilon). Rounded to the side that says more risk. Source: Dwork & Roth 2014, Definition 2.4.
    """
    error = least_error(epsilon, delta)
    for out_of in COUNTS:
        unseen = math.floor(out_of * error * (1.0 + 1e-14))  # log 9 is 90 and 10
        if unseen >= 1:
            return Worlds(out_of, out_of - unseen, unseen)
    return None


def least_error(epsilon: float, delta: float = 0.0) -> float:
    """Return the least chance of error, alike in both worlds, that (EPSILON, DELTA) leaves any rule."""
    return max(0.0, 1.0 - delta) / (1.0 + math.exp(epsilon)) if epsilon < 700.0 else 0.0


def error_of_noise(release: Release, epsilon: float) -> float | None:
    """Return that chance for the noise itself, at the whole distance; None where no closed form is at hand.

    One number, released once and not processed.
    """
    setting = release.privacy_setting()
    if epsilon <= 0.0 or release.post_processing or not isinstance(setting, PrivacySetting):
        return None
    if setting.repetitions > 1 or setting.dimension > 1 or setting.noise.one is None or not setting.sensitivity:
        return None  # of several tables there is no one sensitivity
    noise = setting.noise.one.noise
    if noise is None:
        return None
    own = epsilon * setting.shares[0]
    return noise.least_error(own, setting.sensitivity, setting.delta or 0.0, setting.step)


def delta_in_all(release: Release) -> float | None:
    """Return delta of all tables and repetitions, rounded up: 0 without Gaussian noise, None if it is not stated."""
    if not release.noise.takes_delta:
        return 0.0
    return None if release.delta is None else min(1.0, up(release.delta * release.deltas(), 1))


def meaning(decision: Decision, language: str | None = None) -> tuple[str, ...]:
    """Return what the epsilon chosen means for one person, for everyone else, and what it leaves out: three sentences.

    Nothing where no epsilon is chosen. A release without noise, or with a table without noise, has none that means
    anything.
    """
    if decision.chosen is None and not decision.release.noise.absent_somewhere:
        return ()
    return one_person(decision, language), everyone(decision, language), word("meaning", "population", language)


def worlds(decision: Decision) -> Worlds | None:
    """Return how well, at the epsilon chosen and over all repetitions, an analyst tells a record is what it is."""
    release, delta = decision.release, delta_in_all(decision.release)
    if decision.chosen is None or delta is None or release.noise.absent_somewhere or promises.flaws(release):
        return None
    return two_worlds(decision.chosen * release.repetitions, delta)


def one_person(decision: Decision, language: str | None = None) -> str:
    """Return what the epsilon chosen means for one person: how well two worlds are told apart, by this noise too."""
    release = decision.release
    nothing = _nothing_holds(release)
    if nothing or release.noise.absent_somewhere:
        return word("meaning", nothing, language) if nothing else word("implied", "exact_person", language)
    if decision.chosen is None or delta_in_all(release) is None:
        return word("meaning", "person_without_delta", language)
    # where values are replaced, presence is no secret
    told = "person_value" if release.neighbours == "replace" else "person"
    found = worlds(decision)
    if found is None:
        return say("meaning", f"{told}_open", {"out_of": COUNTS[-1]}, language)
    said = say("meaning", told, found._asdict(), language)
    error = error_of_noise(release, decision.chosen)
    if error is None:
        return said
    unseen = round(found.out_of * error)
    itself = say("meaning", "noise_itself", {"seen": found.out_of - unseen, "unseen": unseen}, language)
    return f"{said} {itself}"


def everyone(decision: Decision, language: str | None = None) -> str:
    """Return what holds for an intruder whom nobody named, and on which condition, in a sentence."""
    release = decision.release
    nothing = _nothing_holds(release)
    if nothing or release.noise.absent_somewhere:
        return word("meaning", nothing, language) if nothing else word("implied", "exact_everyone", language)
    if release.noise.takes_delta:
        return _event(decision, language)
    loss = general_loss(decision)
    if loss is None:
        return word("meaning", "everyone_unsaid", language)
    what = "everyone_value" if release.neighbours == "replace" else "everyone"
    if loss >= 700.0:
        return say("meaning", f"{what}_unbounded", {}, language)
    counted = "_spent" if release.spent and release.priors_from == "before_all" else ""
    return say("meaning", f"{what}{counted}", {"factor": up(math.exp(loss), 4)}, language)


def _nothing_holds(release: Release) -> str:
    """Return the key of why no promise holds of RELEASE: a table without noise, or figures that contradict."""
    return "exact_beside" if promises.exact_figures(release) else "flawed" if promises.flaws(release) else ""


def general_loss(decision: Decision) -> float | None:
    """Return the most that any question about one person gains at the epsilon chosen, as a logarithm; None if unsaid.

    The larger loss of the two pairs of worlds a question can compare: the person left out, or present with another
    value (Kazan & Reiter 2024, Theorem 1, whose factor e^-2eps is the second). All repetitions, and what is spent where
    beliefs are of before.
    """
    release = decision.release
    if decision.chosen is None:
        return None
    if release.neighbours is None or not release.noise.each:  # of a draft: whichever relation it is, no more than this
        return None if release.spent else DOUBLE * decision.chosen * release.repetitions
    losses = []
    for pair in (ValueChanged(),) if release.neighbours == "replace" else (UnitPresent(), ValueChanged()):
        setting = release.privacy_setting(pair)
        if not isinstance(setting, PrivacySetting) or setting.missing is not None or not setting.loss.spent_pure:
            return None
        losses.append(setting.own(decision.chosen))
    return max(losses)


def _event(decision: Decision, language: str | None) -> str:
    """Return what noise without a largest loss promises: an event's chance with the record, given that without it."""
    release, delta = decision.release, delta_in_all(decision.release)
    noise = next(mechanism.name for mechanism in release.noise.each if mechanism.takes_delta)
    if decision.chosen is None or delta is None:
        return word("meaning", f"{noise}_without_delta", language)
    before, out_of = RARE
    epsilon = decision.chosen * release.repetitions
    growth = math.exp(epsilon) if epsilon < 700.0 else math.inf
    chance = before / out_of
    # with the record at most e^eps x + delta, and 1 - e^-eps (1 - delta - x): the same of the event's opposite
    most = min(growth * chance + delta, 1.0 - (1.0 - delta - chance) / growth)
    after = math.ceil(out_of * most * (1.0 - 1e-14))
    key = f"{noise}_value" if release.neighbours == "replace" else noise
    if after >= out_of:
        return word("meaning", f"{key}_open", language)
    return say("meaning", key, {"out_of": out_of, "before": before, "after": after}, language)
