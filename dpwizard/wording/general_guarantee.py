"""What a chosen epsilon means for one person, against any adversary, and for every release.

Each sentence uses the same pair of datasets, repetitions, tables and earlier releases as the limits. Under Gaussian
noise no ratio holds for every release, so its sentence is about the chance of an event
(docs/methods/gaussian_risk.md).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any, NamedTuple

from dpwizard.base.numerics import up
from dpwizard.decision import (
    DOUBLE,
    AccuracyInputs,
    AddOrRemoveOne,
    Decision,
    PrivacyInputs,
    Reason,
    Release,
    ReplaceOne,
    TradeOff,
    account,
    release_flaws,
)
from dpwizard.wording import persons
from dpwizard.wording.assessments import why
from dpwizard.wording.texts import format_text

COUNTS = (100, 1_000, 10_000, 100_000, 1_000_000)  # out of how many outcomes: the smallest that leaves one to count
NOTHING: Mapping[str, Any] = MappingProxyType({})
EXACT = "exact"  # a release without any noise
RARE = 10, 1_000  # the chance, as a count out of a number, of an event without the record, under Gaussian noise


@dataclass(frozen=True, kw_only=True)
class Clause:
    """A sentence of what a budget means, free of language: its wording, its figures, and the reason that it names."""

    section: str
    key: str
    figures: Mapping[str, Any] = field(default_factory=lambda: NOTHING)
    reason: Reason | None = None

    def sentence(self, release: Release) -> str:
        """Return the sentence on RELEASE, whose unit it may name."""
        words = {"unit": persons.unit_words(release)}
        if self.reason is not None:
            words["reason"] = why(self.reason)
        return format_text(self.section, self.key, {**self.figures, **words})


class GuessOdds(NamedTuple):
    """Of OUT_OF outcomes at most SEEN point to a person rightly, at least UNSEEN wrongly; both errors are alike."""

    out_of: int
    seen: int
    unseen: int


def two_worlds(epsilon: float, delta: float = 0.0) -> GuessOdds | None:
    """Return how well two datasets can be distinguished at (EPSILON, DELTA), at most; None if hardly limited.

    Of a rule that errs with the same chance x in either world, 1 - x <= e^epsilon x + delta, so x >= (1 - delta) / (1 +
    e^epsilon). Rounded to the side that says more risk. Source: Dwork & Roth 2014, Definition 2.4.
    """
    return counted(least_error(epsilon, delta))


def counted(error: float) -> GuessOdds | None:
    """Return the odds of distinguishing two datasets at a smallest chance of ERROR, in whole numbers; None if tiny."""
    for out_of in COUNTS:
        unseen = math.floor(out_of * error * (1.0 + 1e-14))  # log 9 is 90 and 10
        if unseen >= 1:
            return GuessOdds(out_of, out_of - unseen, unseen)
    return None


def least_error(epsilon: float, delta: float = 0.0) -> float:
    """Return the least chance of error, alike in both worlds, that (EPSILON, DELTA) leaves any rule."""
    return max(0.0, 1.0 - delta) / (1.0 + math.exp(epsilon)) if epsilon < 700.0 else 0.0


def error_of_noise(release: Release, epsilon: float) -> float | None:
    """Return that chance for the noise itself, at the whole distance; None where no noise of one number says it.

    One number of one unit, released once and not processed. The best rule errs where noise passes half the way; of an
    output half-way either world is as likely.
    """
    table = release.tables[0]
    if epsilon <= 0.0 or release.post_processing or release.repetitions > 1 or release.dimension > 1:
        return None
    if table.times_released > 1 or table.dimension > 1 or persons.units_of_a_person(release) != 1:
        return None
    setting = release.number_setting()  # of the only table
    if not isinstance(setting, AccuracyInputs):
        return None
    added, steps = setting.noise_at(epsilon), setting.sensitivity / setting.step
    if added is None or not 0.0 < added.scale < math.inf or (added.noise.integer_valued and not steps.is_integer()):
        return None
    noise, half = replace(added, scale=added.scale / setting.step), Fraction(steps) / 2
    return 0.5 * noise.reaching(half) + 0.25 * noise.beyond(half)


def meaning(decision: Decision) -> tuple[str, ...]:
    """Return what the epsilon chosen means for one person, for everyone else, and what it leaves out: three sentences.

    Nothing where no epsilon is chosen. A release without noise, or with a table without noise, has none that means
    anything.
    """
    return in_words(clauses(decision), decision.release)


def clauses(decision: Decision) -> tuple[tuple[Clause, ...], ...]:
    """Return the same without words: each of the three sentences as its clauses."""
    if decision.chosen is None and not decision.release.noise.absent_somewhere:
        return ()
    return _one_person(decision), (_everyone(decision),), (Clause(section="meaning", key="population"),)


def in_words(sentences: Iterable[Iterable[Clause]], release: Release) -> tuple[str, ...]:
    """Return each of the SENTENCES on RELEASE."""
    return tuple(" ".join(clause.sentence(release) for clause in sentence) for sentence in sentences)


def guess_odds(decision: Decision) -> GuessOdds | None:
    """Return how well, at the epsilon chosen and over all repetitions, an adversary recognises a person.

    Of a person who is several units all of them count; None where their number is not known.
    """
    release, delta = decision.release, decision.release.delta_in_all()
    units = persons.units_of_a_person(release)
    if decision.chosen is None or no_guarantee_reason(release) or units is None:
        return None
    if units > 1:
        loss = _loss_of_a_person(decision)
    elif release.counted_in == "rho":
        loss = _trade_off_at(release, decision.chosen)
    else:
        loss = None if delta is None else (release.cost(decision.chosen), delta)
    if isinstance(loss, TradeOff):
        return counted(1.0 - loss.even_odds_accuracy())
    return None if loss is None else two_worlds(*loss)


def reads_curve(decision: Decision, curve: object) -> bool:
    """Return whether these sentences may read a curve, which takes long; CURVE, by the accounting of its assessment."""
    closed = isinstance(curve, TradeOff) and curve.closed is not None
    return decision.chosen is not None and decision.release.counted_in == "rho" and not closed


def one_person(decision: Decision) -> str:
    """Return what the epsilon chosen means for one person: how well two datasets can be distinguished."""
    return " ".join(clause.sentence(decision.release) for clause in _one_person(decision))


def _one_person(decision: Decision) -> tuple[Clause, ...]:
    release = decision.release
    if reason := no_guarantee_reason(release):
        exact = Clause(section="implied", key="exact_person")
        return (exact if reason == EXACT else Clause(section="meaning", key=reason),)
    if decision.chosen is None or (release.delta_in_all() is None and release.counted_in == "epsilon"):
        return (Clause(section="meaning", key="person_without_delta"),)
    if persons.units_of_a_person(release) is None:
        return (Clause(section="meaning", key="person_of_unknown_units"),)
    # where values are replaced, presence is no secret
    key = "person_value" if release.neighbours == "replace" else "person"
    odds = guess_odds(decision)
    if odds is None:
        return (Clause(section="meaning", key=f"{key}_open", figures={"out_of": COUNTS[-1]}),)
    clause = Clause(section="meaning", key=key, figures=odds._asdict())
    if release.counted_in == "rho":
        return (clause,)  # by the curve of this noise already
    error = error_of_noise(release, decision.chosen)
    if error is None:
        return (clause,)
    unseen = round(odds.out_of * error)
    itself = {"seen": odds.out_of - unseen, "unseen": unseen}
    return clause, Clause(section="meaning", key="noise_itself", figures=itself)


def _everyone(decision: Decision) -> Clause:
    release = decision.release
    if nothing := no_guarantee_reason(release):
        exact = Clause(section="implied", key="exact_everyone")
        return exact if nothing == EXACT else Clause(section="meaning", key=nothing)
    units = persons.units_of_a_person(release)
    if units is None or (units > 1 and release.noise.needs_delta and release.counts_spent()):
        return Clause(section="meaning", key="everyone_of_unknown_units")
    unknown = _unknown_reason(release)
    if unknown is not None and unknown.key == "spent_under_other_neighbours":
        return Clause(section="meaning", key="everyone_unsaid")
    if unknown is not None:
        return Clause(section="meaning", key="everyone_unsaid_since", reason=unknown)
    if release.noise.needs_delta:
        return _event(decision)
    loss = general_loss(decision)
    if loss is None:
        return Clause(section="meaning", key="everyone_unsaid")
    key = "everyone_value" if release.neighbours == "replace" else "everyone"
    if loss >= 700.0:
        return Clause(section="meaning", key=f"{key}_unbounded")
    suffix = "_spent" if release.spent and release.priors_from == "before_all" else ""
    return Clause(section="meaning", key=f"{key}{suffix}", figures={"factor": up(math.exp(loss), 4)})


def no_guarantee_reason(release: Release) -> str:
    """Return the key of the reason why RELEASE has no guarantee for everyone; "" if one does.

    It has no noise at all, its noise is added on each device, its figures contradict each other, or something is
    published exactly beside the noise in which the worlds differ that a question about one person compares.
    """
    if exact_guarantee(release) is not None:
        return "exact_beside" if release.noise.absent_somewhere else "exact_beside_figures"
    if not release_flaws.is_central_model(release):
        return release_flaws.NOT_ONE_CURATOR
    return "flawed" if release_flaws.flaws(release) else EXACT if release.noise.absent else ""


def exact_guarantee(release: Release) -> tuple[str, ...] | None:
    """Return the names of what is published exactly and differs in those worlds; None where nothing does."""
    missing = [setting.loss.missing for setting in _settings(release) if isinstance(setting, PrivacyInputs)]
    exact = [why for why in missing if why is not None and why.check == "exact_figures"]
    if exact:
        names: tuple[str, ...] = exact[0].values["tables"]
        return names
    return tuple(name for name, _ in release.exact if name) if release.exact and not missing else None


def _settings(release: Release) -> tuple[PrivacyInputs | tuple[str, ...], ...]:
    """Return the settings of the pairs of datasets that a question about one person can compare."""
    pairs = (ReplaceOne(),) if release.neighbours == "replace" else (AddOrRemoveOne(), ReplaceOne())
    return tuple(release.privacy_setting(pair, in_epsilon=False) for pair in pairs)


def _unknown_reason(release: Release) -> Reason | None:
    """Return why nothing is known of a pair that is spoken of; None where something is, or RELEASE is a draft.

    Under Gaussian noise that is the declared one.
    """
    for setting in (release.privacy_setting(in_epsilon=False),) if release.noise.needs_delta else _settings(release):
        if isinstance(setting, tuple):
            return None
        if setting.loss.missing is not None:
            return Reason(key=setting.loss.missing.key, values=setting.loss.missing.values)
        if not setting.loss.spent_pure and not release.noise.needs_delta:
            return Reason(key="spent_without_bound")
    return None


def general_loss(decision: Decision) -> float | None:
    """Return the most that any question about one person gains at the epsilon chosen, as a logarithm; None if unsaid.

    The larger loss of the two pairs of worlds a question can compare: the person left out, or present with another
    value (Kazan & Reiter 2024, Theorem 1, whose factor e^-2eps is the second). All repetitions, and what is spent where
    beliefs are of before; of a person who is several units, as many times that.
    """
    release = decision.release
    units = persons.units_of_a_person(release)
    if decision.chosen is None or units is None:
        return None
    if release.neighbours is None or not release.noise.each:  # of a draft: whichever relation it is, no more than this
        return None if release.spent else units * DOUBLE * release.cost(decision.chosen)
    losses = []
    for setting in _settings(release):
        if isinstance(setting, tuple) or setting.loss.missing is not None or not setting.loss.spent_pure:
            return None
        losses.append(setting.loss.total_epsilon(decision.chosen))
    return up(units * max(losses), 1) if units > 1 else max(losses)


def _loss_of_a_person(decision: Decision) -> TradeOff | tuple[float, float] | None:
    """Return the loss of a person over all their units: a curve, or epsilon and delta."""
    accounting = account(decision.planned.release, decision.chosen).per_person
    if accounting is None:
        return None
    if accounting.epsilon is not None and decision.release.counted_in == "epsilon":
        return accounting.epsilon, accounting.delta or 0.0
    if accounting.mu is not None:
        return TradeOff(mu=accounting.mu)
    return None if accounting.rho is None else TradeOff(rho=accounting.rho)


def _trade_off_at(release: Release, rho: float) -> TradeOff | None:
    """Return the curve of all releases that count, for the declared neighbours, at RHO; None if not known."""
    setting = release.privacy_setting(in_epsilon=False)
    if isinstance(setting, tuple) or setting.loss.trade_off_missing is not None:
        return None
    return setting.loss.trade_off(rho)


def _event(decision: Decision) -> Clause:
    """Return the guarantee of unbounded noise: an event's chance with the record, given that without it."""
    release, delta = decision.release, decision.release.delta_in_all()
    noise = next(mechanism.name for mechanism in release.noise.each if mechanism.needs_delta)
    key = f"{noise}_value" if release.neighbours == "replace" else noise
    before, out_of = RARE
    several = _loss_of_a_person(decision) if persons.units_of_a_person(release) != 1 else None
    curve = several if isinstance(several, TradeOff) else None
    if curve is None and release.counted_in == "rho" and decision.chosen is not None:
        curve = _trade_off_at(release, decision.chosen)
    if curve is not None:
        after = math.ceil(out_of * curve.max_probability(before / out_of) * (1.0 - 1e-14))
        if after >= out_of:
            return Clause(section="meaning", key=f"{key}_open_in_rho")
        return Clause(section="meaning", key=key, figures={"out_of": out_of, "before": before, "after": after})
    setting = release.privacy_setting()
    if decision.chosen is None or delta is None or isinstance(setting, tuple):
        return Clause(section="meaning", key=f"{noise}_without_delta")
    epsilon, delta = setting.loss.total_epsilon(decision.chosen), min(1.0, delta + setting.loss.spent_delta)
    if isinstance(several, tuple):
        epsilon, delta = several
    growth = math.exp(epsilon) if epsilon < 700.0 else math.inf
    chance = before / out_of
    # with the record at most e^eps x + delta, and 1 - e^-eps (1 - delta - x): the same of the event's opposite
    most = min(growth * chance + delta, 1.0 - (1.0 - delta - chance) / growth)
    after = math.ceil(out_of * most * (1.0 - 1e-14))
    if after >= out_of:
        return Clause(section="meaning", key=f"{key}_open")
    return Clause(section="meaning", key=key, figures={"out_of": out_of, "before": before, "after": after})
