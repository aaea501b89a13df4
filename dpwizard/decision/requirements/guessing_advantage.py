"""A requirement of Pankova & Laud 2022: how much the chance of guessing a value may change."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, model_validator

from dpwizard.base.errors import DPWizardError, InvalidInput
from dpwizard.base.messages import message
from dpwizard.base.numerics import decimal, down, up
from dpwizard.base.values import Probability, field
from dpwizard.decision.names import unknown_attribute
from dpwizard.decision.neighbouring import AttributeChange
from dpwizard.decision.privacy_requirement import LossReading, OfAnAttribute, within_limit
from dpwizard.decision.reasons import Reason
from dpwizard.decision.release import Release
from dpwizard.decision.requirement import ERROR, Limit, beyond_reach, epsilon_limit, no_limit
from dpwizard.decision.settings import PrivacyInputs
from dpwizard.privacy import guessing_advantage as mathematics

EXACT = "the exact supremum over mechanisms, sharper than Pankova & Laud 2022 (docs/methods/guessing_advantage.md)"
SOURCES = {
    "exact": EXACT,
    "main": "Pankova & Laud 2022, main theorem",
    "simplified": "Pankova & Laud 2022, simplification",
}
COMBINED = "Pankova & Laud 2022, repaired (docs/methods/guessing_advantage.md)"
MOST_ATTRIBUTES = 50
ROUNDING = 1e-15  # the rounding error of a difference of chances
Direction = Literal["rise", "drop"]


class GuessingAdvantage(OfAnAttribute):
    """The chance of guessing a value within a precision changes by at most an advantage."""

    drawn: ClassVar[Literal["", "curves", "figure"]] = "figure"
    source: ClassVar[str] = EXACT
    instead: ClassVar[str] = "instead_of_certain_guess"
    assumptions: ClassVar[tuple[str, ...]] = ("attacker_knows_others",)
    basic_fields: ClassVar[tuple[str, ...]] = ("attributes", "combine")

    kind: Literal["guessing_advantage"] = "guessing_advantage"
    attributes: Annotated[tuple[mathematics.Attribute, ...], Field(max_length=MOST_ATTRIBUTES)] = field(
        "What is guessed",
        "Each attribute with what the adversary thinks before, a true value to protect, and how close a "
        "guess must come.",
        default=(),
    )
    combine: Literal["one", "and", "or"] = field(
        "A guess succeeds if", "The one guess is right, all of several are, or at least one is.", default="one"
    )
    advantage: Probability | None = field(
        "Largest advantage",
        "How much the chance of a right guess may change.",
        by_questions=True,
        decided=True,
        editor="chance",
    )
    statement: Literal["certain", "expected"] = field(
        "When the limit holds",
        "For every release; or how much more often the best guess is right on average, over values and "
        "releases. With unbounded noise, such as Gaussian noise, no limit holds for every release.",
        default="certain",
        decided=True,
    )
    direction: Literal["rise", "drop", "both"] = field(
        "Direction", "Whether the limit is on a rise of the chance, a drop, or both.", default="rise"
    )
    bound: Literal["exact", "main", "simplified"] = field(
        "Formula", "The exact one, or a coarser one from the source.", default="exact"
    )

    @model_validator(mode="after")
    def _has_one_attribute_if_one(self) -> GuessingAdvantage:
        if self.combine == "one" and len(self.attributes) > 1:
            raise InvalidInput(
                message('is "one", but there are {count} attributes', count=len(self.attributes)),
                "combine",
                'Choose "and" or "or", or leave one attribute.',
            )
        return self

    def missing(self) -> tuple[str, ...]:
        names = ["attributes"] if not self.attributes else []
        names += [
            f"attributes[{i}].{name}"
            for i, attribute in enumerate(self.attributes)
            for name in attribute.missing()
            if name != "truth" or self.statement == "certain"  # the mean is over all true values
        ]
        return (*names, *super().missing())

    def inapplicable_fields(self, release: Release) -> tuple[str, ...]:
        stated: tuple[str, ...] = () if any(table.noise.needs_delta for table in release.tables) else ("statement",)
        certain = ("combine", "direction", "bound") if self.statement == "expected" else ()
        return (*super().inapplicable_fields(release), *stated, *certain)

    @property
    def reads(self) -> LossReading:
        return "largest_loss" if self.statement == "certain" else "curve"

    def counted_whole(self, release: Release) -> bool:
        steps = self.moved(release).steps
        earlier_pure = (earlier for earlier in release.spent if earlier.pure and earlier.epsilon)
        return release.counts_spent() and any(earlier.per_effect(steps) is None for earlier in earlier_pure)

    def takes_long(self) -> bool:
        """Return whether it searches for the worst true value, or combines several guesses."""
        searched = (attribute.truth == "worst" and attribute.prior is not None for attribute in self.attributes)
        return len(self.attributes) > 1 or any(searched)

    def setting(self, release: Release) -> PrivacyInputs | tuple[str, ...]:
        setting = release.privacy_setting(self.moved(release), in_epsilon=False)
        if isinstance(setting, tuple) or setting.one is None or setting.noise.absent:
            return setting
        return setting.one.missing(("sensitivity",)) or setting

    def moved(self, release: Release) -> AttributeChange:
        """Return the neighbouring pair in which each attribute, stated or implied, differs by its precision."""
        implied = self._implied_attribute(release)
        named = self.attribute if self.combine == "one" else None
        steps = tuple((guess.name or named or implied, guess.precision or 0.0) for guess in self.attributes)
        known = all(guess.effect is not None and guess.precision is not None for guess in self.attributes)
        return AttributeChange(steps=steps, effect=mathematics.weight_of(self.attributes) if known else None)

    def unknown_names(self, release: Release) -> Iterator[Reason]:
        yield from super().unknown_names(release)
        for at, guess in enumerate(self.attributes):
            yield from unknown_attribute(release, guess.name, f"attributes[{at}].name")

    def _implied_attribute(self, release: Release) -> str | None:
        if self.attribute is not None or len(self.attributes) != 1 or self.attributes[0].name is not None:
            return None  # only a single guess without a name refers to the one attribute with stated effects
        stated = {name for table in release.noisy for name, _ in table.effects or ()}
        return stated.pop() if len(stated) == 1 else None

    def narrows(self, release: Release) -> bool:
        return super().narrows(release) or any(table.effects is not None for table in release.tables)

    def assumed(self, release: Release) -> tuple[str, ...]:
        holds = {
            "independent_attributes": self.combine != "one" and len(self.attributes) > 1,
            "effects_of_what_is_guessed": self._implied_attribute(release) is not None,
            "moves_in_proportion": self.statement == "expected",
        }
        return (*super().assumed(release), *(key for key, assumed in holds.items() if assumed))

    def _expected_limit(self, setting: PrivacyInputs) -> Limit:
        """Return the largest budget at which the mean success of the best guess rises by at most the advantage.

        If the release changes by `mu` standard deviations when the value changes by the precision, it reveals the value
        with normal noise of precision / mu, in the value's own unit (docs/methods/programmes.md, Expected guess).
        """
        assert self.advantage is not None
        if not setting.is_gaussian_alone:
            return no_limit("not_applicable", "expected_of_gaussian_noise")
        prior, precision = self.attributes[0].prior, self.attributes[0].precision
        if self.combine != "one" or prior is None or precision is None:
            return no_limit("not_applicable", "expected_of_one_value")
        if prior.family not in ("uniform", "normal", "discrete"):
            return no_limit("not_applicable", "expected_of_these_beliefs")
        if setting.grain is not None:
            return no_limit("not_applicable", "expected_needs_proportion")
        budget = 0.0
        if self.advantage > 0.0:
            noise = 0.0
            if self.advantage < 1.0:
                noise = mathematics.noise_for_expected(prior=prior, precision=precision, gain=self.advantage)
            if noise == 0.0:
                return no_limit("unbounded", "advantage_never_reached")
            budget = setting.loss.largest_for_mu(down(precision / noise, 2))
        return epsilon_limit(
            budget,
            "expected_guess_binds",
            error=1e-8 * max(1.0, budget),
            figures={"advantage": self.advantage},
            source="the expected success of the best guess (docs/methods/gaussian_risk.md)",
            grounds="proved_under",
            attained=True,
        )

    def _expected_figures(self, setting: PrivacyInputs, epsilon: float) -> Mapping[str, Any]:
        guess, mu = self.attributes[0], setting.loss.mu(epsilon)
        assert guess.prior is not None and guess.precision is not None
        if not mu:
            return {}
        success = mathematics.expected(prior=guess.prior, precision=guess.precision, noise=guess.precision / mu)
        people = 1_000
        while people * success.before < 1.0 and people < 10**9:
            people *= 10
        return {
            "before": success.before,
            "after": success.after,
            "people": people,
            "guessed_before": round(people * success.before),
            "guessed_after": math.ceil(people * success.after * (1.0 - 1e-12)),
            "precision": guess.precision,
        }

    def solve(self, setting: PrivacyInputs) -> Limit:
        if self.statement == "expected":
            return self._expected_limit(setting)
        assert self.advantage is not None
        per_precision, gap = self._per_precision_and_gap(setting.loss.spent)
        if math.isinf(per_precision):
            return no_limit("unbounded", "advantage_never_reached")
        spent_per_precision = setting.loss.spent_per_move  # earlier losses that grow with the distance
        remaining = max(0.0, down(per_precision - spent_per_precision, 1)) if spent_per_precision else per_precision
        epsilon = setting.loss.max_budget_alone(remaining)
        search_error = 0.0 if self.bound == "simplified" else mathematics.LIMIT_ERROR
        error = max(ERROR * max(1.0, epsilon), search_error * epsilon)
        if per_precision:
            error = max(error, gap / per_precision * epsilon)
        if self.jumps(setting):
            if setting.value_loss.missing is not None:
                return beyond_reach(setting.value_loss.missing)
            epsilon = min(epsilon, setting.value_loss.max_budget(self._loss_at_any_distance()))
        published = None
        if self.bound != "simplified" and self.combine == "one":
            closed = setting.loss.max_budget_alone(self._per_precision("simplified", self.advantage, self.direction))
            published = {
                "epsilon": None if math.isinf(closed) else closed,
                "source": "Pankova & Laud 2022, closed form (sound, coarser)",
            }
        figures = {"advantage": self.advantage, "per_precision": per_precision}
        source = SOURCES[self.bound] if self.combine == "one" else COMBINED
        return epsilon_limit(
            epsilon,
            "guess_binds",
            error=error,
            figures=figures,
            source=source,
            grounds="proved_under",
            attained=True,
            as_published=published,
        )

    def jumps(self, setting: PrivacyInputs) -> bool:
        """Return whether a small change of a value may change the statistic as much as any change.

        A count may depend on a continuous value by a threshold, and a sum in steps is rounded: at some point a small
        change has a full effect. So has a change of a value whose effect is below the smallest change of the statistic.
        """
        grain, effects = setting.grain, self._smallest_effects(setting)
        return grain is not None and any(
            _has_closer_values(guess, effect, grain) for guess, effect in zip(self.attributes, effects, strict=True)
        )

    def _smallest_effects(self, setting: PrivacyInputs) -> tuple[float | None, ...]:
        """Return the smallest effect of each attribute, as stated by a table or the guess; None if there is none."""
        if not isinstance(setting.pair, AttributeChange):
            return ()
        smallest = []
        for guess, (name, _) in zip(self.attributes, setting.pair.steps, strict=True):
            stated = [dict(table.effects or ()).get(name) for table in setting.tables] if name is not None else []
            smallest.append(min((effect for effect in (*stated, guess.effect) if effect), default=None))
        return tuple(smallest)

    def _loss_at_any_distance(self) -> float:
        assert self.advantage is not None
        if any(attribute.truth == "worst" for attribute in self.attributes):
            # over all priors, the largest advantage at a loss is tanh(loss/4)
            return down(4.0 * math.atanh(self.advantage), 4) if self.advantage < 1.0 else math.inf
        return mathematics.categorical_epsilon(
            p=self._chance_before(), advantage=self.advantage, direction=self.direction
        )

    def _per_precision_after_earlier(self, spent: float) -> float:
        """Return the largest epsilon per precision of this release after earlier ones that lost SPENT at any distance.

        An earlier output z is at most e^spent times as likely under one value as under another, however near they are.
        So the odds of a right guess after both are at most e^spent times the odds after this release alone, and at
        least e^-spent times:

            P(y, z, g) = int_g p(x) P(y|x) P(z|x) <= sup_g P(z|x) int_g p(x) P(y|x)

        and the same with inf outside g. Hence the target odds are lowered by that factor. The result is also at most
        the epsilon per precision without earlier releases minus SPENT, which would be enough if the earlier loss grew
        with the distance.
        """
        assert self.advantage is not None
        whole = self._per_precision(self.bound, self.advantage, self.direction)
        if math.isinf(whole):
            return whole
        bounds = [max(0.0, down(whole - spent, 1))]
        for direction in self._directions():
            advantage = self._advantage_after_earlier(direction, spent)
            bounds.append(self._per_precision(self.bound, advantage, direction) if advantage > 0.0 else 0.0)
        return min(bounds)

    def _per_precision_and_gap(self, spent: float) -> tuple[float, float]:
        """Return the largest epsilon per precision after losses of SPENT, and its gap to the proved upper bound."""
        assert self.advantage is not None
        guess = self.attributes[0]
        if spent:
            return self._per_precision_after_earlier(spent), 0.0
        if self.combine != "one":
            combined = self._combined_limit(self.advantage, self.direction)
            return combined.epsilon, combined.gap
        if guess.truth != "worst":
            return self._per_precision(self.bound, self.advantage, self.direction), 0.0
        assert guess.prior is not None and guess.precision is not None
        worst = mathematics.worst_epsilon(
            prior=guess.prior,
            precision=guess.precision,
            advantage=self.advantage,
            bound="simplified" if self.bound == "simplified" else "exact",
            direction=self.direction,
        )
        return (math.inf, 0.0) if worst.epsilon is None else (worst.epsilon, worst.gap)

    def _advantage_after_earlier(self, direction: Direction, spent: float) -> float:
        """Return the advantage that earlier losses of SPENT leave; 0 or less if none is left."""
        assert self.advantage is not None
        if any(attribute.truth == "worst" for attribute in self.attributes):
            # odds that change by e^spent change no chance by more than tanh(spent/4), for every true value
            return self.advantage - up(math.tanh(spent / 4.0), 4)
        p, factor = self._chance_before(), math.exp(min(spent, 700.0))
        if direction == "rise":
            target = p + self.advantage
            return 1.0 if target >= 1.0 else target / (target + (1.0 - target) * factor) - p - ROUNDING
        target = p - self.advantage
        return 1.0 if target <= 0.0 else p - target * factor / (target * factor + 1.0 - target) - ROUNDING

    def _directions(self) -> tuple[Direction, ...]:
        return ("rise", "drop") if self.direction == "both" else (self.direction,)

    def _chance_before(self) -> float:
        if self.combine != "one":
            return mathematics.combined_prior(attributes=self.attributes, combine=self.combine)
        guess = self.attributes[0]
        assert (
            guess.prior is not None
            and guess.truth is not None
            and guess.truth != "worst"
            and guess.precision is not None
        )
        return mathematics.prior_probability(prior=guess.prior, truth=guess.truth, precision=guess.precision)

    def _combined_limit(self, advantage: float, direction: Literal["rise", "drop", "both"]) -> mathematics.WorstLimit:
        return mathematics.combined_limit(
            attributes=self.attributes, combine=self.combine, advantage=advantage, direction=direction
        )

    def _per_precision(
        self,
        bound: Literal["exact", "main", "simplified"],
        advantage: float,
        direction: Literal["rise", "drop", "both"],
    ) -> float:
        if self.combine != "one":
            return self._combined_limit(advantage, direction).epsilon
        guess = self.attributes[0]
        assert guess.prior is not None and guess.truth is not None and guess.precision is not None
        return mathematics.epsilon_for(
            prior=guess.prior,
            truth=guess.truth,
            precision=guess.precision,
            advantage=advantage,
            bound="exact" if guess.truth == "worst" and bound == "main" else bound,
            direction=direction,
        )

    def at(self, setting: PrivacyInputs, limit: Limit, epsilon: float) -> Mapping[str, Any]:
        """Return the largest advantage at EPSILON, for the stated true value or the worst one."""
        if limit.status not in ("allowed", "unbounded"):
            return {}
        if self.statement == "expected":
            return self._expected_figures(setting, epsilon)
        per_precision, spent = self.each(setting, epsilon), setting.loss.spent
        try:
            bounds = [self._largest_advantage(per_precision, spent)]
            if spent:  # the second bound, which the limit uses too
                bounds.append(self._largest_advantage(per_precision + spent, 0.0))
            if self.jumps(setting):
                bounds.append(self._largest_advantage(0.0, setting.value_loss.total_epsilon(epsilon)))
            return {"advantage": within_limit(max(bounds), self.advantage, limit, epsilon)}
        except DPWizardError:
            return {}  # this combination has no figure; its limit is valid

    def each(self, setting: PrivacyInputs, epsilon: float) -> float:
        """Return the loss per precision of all releases at EPSILON, without earlier losses at any distance."""
        this_loss, earlier_loss = setting.loss.this_epsilon(epsilon), setting.loss.spent_per_move
        return up(this_loss + earlier_loss, 1) if earlier_loss else this_loss

    def _largest_advantage(self, per_precision: float, spent: float) -> float:
        return max(self._advantage_in(direction, per_precision, spent) for direction in self._directions())

    def _advantage_in(self, direction: Direction, epsilon: float, spent: float) -> float:
        if self.combine != "one":
            before = self._chance_before()
            after = mathematics.combined_posterior(
                attributes=self.attributes, combine=self.combine, epsilon=epsilon, direction=direction
            )
            return abs(with_shifted_odds(after, spent, direction) - before)
        prior, truth, precision = self.attributes[0].prior, self.attributes[0].truth, self.attributes[0].precision
        assert prior is not None and truth is not None and precision is not None
        if truth == "worst":
            worst = mathematics.worst_truth(prior=prior, precision=precision, epsilon=epsilon, direction=direction)
            return min(1.0, worst.advantage + math.tanh(spent / 4.0))
        after = mathematics.posterior(
            prior=prior, truth=truth, precision=precision, epsilon=epsilon, bound=self.bound, direction=direction
        )
        return abs(with_shifted_odds(after, spent, direction) - self._chance_before())


def _has_closer_values(attribute: mathematics.Attribute, effect: float | None, grain: float) -> bool:
    listed = attribute.prior.listed() if attribute.prior is not None else None
    if listed is None or effect is None:
        return True
    points = sorted({decimal(point) for point in listed})
    return any(decimal(effect) * (high - low) < decimal(grain) for low, high in itertools.pairwise(points))


def with_shifted_odds(chance: float, spent: float, direction: Direction) -> float:
    """Return CHANCE after its odds change by e^SPENT, up or down: the most that earlier releases can do."""
    if spent == 0.0:
        return chance
    factor = math.exp(-min(spent, 700.0))
    right, wrong = chance, 1.0 - chance
    if direction == "rise":
        wrong *= factor
    else:
        right *= factor
    return right / (right + wrong) if right + wrong > 0.0 else chance
