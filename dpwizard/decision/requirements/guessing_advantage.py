"""A requirement of Pankova & Laud 2022: how much likelier a right guess of a value may become."""

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
from dpwizard.decision.reasons import Reason
from dpwizard.decision.release import Release
from dpwizard.decision.requirement import (
    ERROR,
    Limit,
    OfAnAttribute,
    Side,
    beyond_reach,
    epsilon_limit,
    no_limit,
    no_pure_epsilon,
    trade_off_unknown,
    within_limit,
)
from dpwizard.decision.settings import PrivacyInputs
from dpwizard.privacy import guessing_advantage as mathematics

EXACT = "the exact supremum over mechanisms, sharper than Pankova & Laud 2022 (docs/methods/guessing_advantage.md)"
SOURCES = {
    "exact": EXACT,
    "main": "Pankova & Laud 2022, main theorem",
    "simplified": "Pankova & Laud 2022, simplification",
}
EXPECTED = "the expected success of the best guess (docs/methods/gaussian_risk.md)"
REPAIRED = "Pankova & Laud 2022, repaired (docs/methods/guessing_advantage.md)"  # of several guesses together
MOST_ATTRIBUTES = 50
ROUNDING = 1e-15  # what floating point may add to a difference of chances
Way = Literal["rise", "drop"]


class GuessingAdvantage(OfAnAttribute):
    """The chance of guessing a value to within a precision may change by at most an advantage."""

    end: ClassVar[Side] = "upper"
    step: ClassVar[str] = "profile"
    drawn: ClassVar[Literal["", "curves", "figure"]] = "figure"
    source: ClassVar[str] = EXACT
    assumptions: ClassVar[tuple[str, ...]] = ("attacker_knows_others",)
    basic_fields: ClassVar[tuple[str, ...]] = ("attributes", "combine")

    kind: Literal["guessing_advantage"] = "guessing_advantage"
    attributes: Annotated[tuple[mathematics.Attribute, ...], Field(max_length=MOST_ATTRIBUTES)] = field(
        "What is guessed",
        "Each attribute with the attacker’s belief, a truth to protect, and how close a guess must come.",
        default=(),
    )
    combine: Literal["one", "and", "or"] = field(
        "Success means", "The one guess, all of several, or at least one of them.", default="one"
    )
    advantage: Probability | None = field(
        "Largest advantage",
        "How much the chance of a right guess may change.",
        by_questions=True,
        decided=True,
        editor="chance",
    )
    statement: Literal["certain", "expected"] = field(
        "What is promised",
        "For every release; or how much oftener the best guess is right on average, over values and releases. Noise "
        "without a largest loss, such as Gaussian noise, promises nothing for every release.",
        default="certain",
        decided=True,
    )
    direction: Literal["rise", "drop", "both"] = field(
        "Direction", "Whether the largest advantage bounds a rise of the chance, a drop, or both.", default="rise"
    )
    bound: Literal["exact", "main", "simplified"] = field(
        "Bound", "The exact one, or a coarser one of the source.", default="exact"
    )

    @model_validator(mode="after")
    def _one_is_one(self) -> GuessingAdvantage:
        if self.combine == "one" and len(self.attributes) > 1:
            raise InvalidInput(
                message("is one, but there are {count} attributes", count=len(self.attributes)),
                "combine",
                "Choose and or or, or leave one.",
            )
        return self

    def missing(self) -> tuple[str, ...]:
        names = ["attributes"] if not self.attributes else []
        names += [
            f"attributes[{i}].{name}"
            for i, attribute in enumerate(self.attributes)
            for name in attribute.missing()
            if name != "truth" or self.statement == "certain"  # an average is over all truths
        ]
        return (*names, *super().missing())

    def inapplicable_fields(self, release: Release) -> tuple[str, ...]:
        stated: tuple[str, ...] = () if any(table.noise.needs_delta for table in release.tables) else ("statement",)
        certain = ("combine", "direction", "bound") if self.statement == "expected" else ()
        return (*super().inapplicable_fields(release), *stated, *certain)

    def unknown(self, setting: PrivacyInputs) -> Reason | None:
        return setting.loss.missing if self.statement == "certain" else setting.loss.trade_off_missing

    def counted_whole(self, release: Release) -> bool:
        steps = self.moved(release).steps
        earlier_pure = (earlier for earlier in release.spent if earlier.pure and earlier.epsilon)
        return release.counts_spent() and any(earlier.per_effect(steps) is None for earlier in earlier_pure)

    def takes_long(self) -> bool:
        """Return whether victims are searched through, or several guesses weighed together."""
        searched = (attribute.truth == "worst" and attribute.prior is not None for attribute in self.attributes)
        return len(self.attributes) > 1 or any(searched)

    def setting(self, release: Release) -> PrivacyInputs | tuple[str, ...]:
        setting = release.privacy_setting(self.moved(release), in_epsilon=False)
        if isinstance(setting, tuple) or setting.one is None or setting.noise.absent:
            return setting
        return setting.one.missing(("sensitivity",)) or setting

    def moved(self, release: Release) -> AttributeChange:
        """Return the pair of worlds: every attribute guessed lies elsewhere by its precision.

        One whose name is not given is the one attribute that the tables state effects of, where they state no other.
        """
        alone = self._only_one(release)
        names = [one.name or (self.attribute if self.combine == "one" else None) or alone for one in self.attributes]
        steps = tuple((name, one.precision or 0.0) for name, one in zip(names, self.attributes, strict=True))
        whole = all(one.effect is not None and one.precision is not None for one in self.attributes)
        return AttributeChange(steps=steps, effect=mathematics.weight_of(self.attributes) if whole else None)

    def unknown_names(self, release: Release) -> Iterator[Reason]:
        yield from super().unknown_names(release)
        for at, one in enumerate(self.attributes):
            found = unknown_attribute(release, one.name, f"attributes[{at}].name")
            if found is not None:
                yield found

    def _only_one(self, release: Release) -> str | None:
        """Return the attribute that the tables state effects of, for one guess without a name; None if not just one."""
        if self.attribute is not None or len(self.attributes) != 1 or self.attributes[0].name is not None:
            return None
        stated = {name for table in release.noisy for name, _ in table.effects or ()}
        return stated.pop() if len(stated) == 1 else None

    def narrows(self, release: Release) -> bool:
        return super().narrows(release) or any(table.effects is not None for table in release.tables)

    def assumed(self, release: Release) -> tuple[str, ...]:
        joined = self.combine != "one" and len(self.attributes) > 1
        meant: tuple[str, ...] = ("effects_of_what_is_guessed",) if self._only_one(release) is not None else ()
        meant += ("moves_in_proportion",) if self.statement == "expected" else ()
        return (*super().assumed(release), *(("independent_attributes",) if joined else ()), *meant)

    def _expected(self, setting: PrivacyInputs) -> Limit:
        """Return the largest budget at which the best guess is right so much oftener at most, on average.

        A release that moves by `mu` standard deviations when the value moves by the precision shows the value with
        normal noise of precision / mu, in the value's own unit (docs/methods/gaussian_risk.md, Expected guess).
        """
        reason = trade_off_unknown(setting)
        if reason is not None:
            return reason
        assert self.advantage is not None
        if not setting.is_gaussian_alone:
            return no_limit("not_applicable", "expected_of_gaussian_noise")
        one = self.attributes[0]
        if self.combine != "one" or one.prior is None or one.precision is None:
            return no_limit("not_applicable", "expected_of_one_value")
        if one.prior.family not in ("uniform", "normal", "discrete"):
            return no_limit("not_applicable", "expected_of_these_beliefs")
        if setting.grain is not None:
            return no_limit("not_applicable", "expected_needs_proportion")
        budget = 0.0
        if self.advantage > 0.0:
            most = self.advantage < 1.0
            least = (
                mathematics.noise_for_expected(prior=one.prior, precision=one.precision, gain=self.advantage)
                if most
                else 0.0
            )
            if least == 0.0:
                return no_limit("unbounded", "advantage_never_reached")
            budget = setting.loss.largest_for_mu(down(one.precision / least, 2))
        if math.isinf(budget):
            return no_limit("unbounded", "no_table_reads_it")
        return epsilon_limit(
            budget,
            "expected_guess_binds",
            of_release=True,
            error=1e-8 * max(1.0, budget),
            figures={"advantage": self.advantage},
            source=EXPECTED,
            grounds="proved_under",
            attained=True,
        )

    def _expected_at(self, setting: PrivacyInputs, epsilon: float) -> Mapping[str, Any]:
        """Return how many of so many people the best guess is right about, before and after."""
        one, mu = self.attributes[0], setting.loss.mu(epsilon)
        assert one.prior is not None and one.precision is not None
        if not mu:
            return {}
        found = mathematics.expected(prior=one.prior, precision=one.precision, noise=one.precision / mu)
        people = 1_000
        while people * found.before < 1.0 and people < 10**9:
            people *= 10
        return {
            "before": found.before,
            "after": found.after,
            "people": people,
            "guessed_before": round(people * found.before),
            "guessed_after": math.ceil(people * found.after * (1.0 - 1e-12)),
            "precision": one.precision,
        }

    def limit(self, setting: PrivacyInputs) -> Limit:
        if self.statement == "expected":
            return self._expected(setting)
        reason = no_pure_epsilon(setting, "instead_of_certain_guess")
        if reason is not None:
            return reason
        assert self.advantage is not None
        per_precision, gap = self._left(setting.loss.spent) if setting.loss.spent else self._with_gap()
        if math.isinf(per_precision):
            return no_limit("unbounded", "advantage_never_reached")
        moved = setting.loss.spent_per_move  # earlier losses that grow with the distance, as this one does
        left = max(0.0, down(per_precision - moved, 1)) if moved else per_precision
        epsilon = setting.loss.max_budget_alone(left)
        search = 0.0 if self.bound == "simplified" else mathematics.LIMIT_ERROR
        error = max(
            ERROR * max(1.0, epsilon), search * epsilon, gap / per_precision * epsilon if per_precision else 0.0
        )
        if self.jumps(setting):
            if setting.value_loss.missing is not None:
                return beyond_reach(setting.value_loss.missing)
            epsilon = min(epsilon, setting.value_loss.max_budget(self._at_any_distance()))
        published = None
        if self.bound != "simplified" and self.combine == "one":
            closed = setting.loss.max_budget_alone(self._per_precision("simplified", self.advantage, self.direction))
            published = {
                "epsilon": None if math.isinf(closed) else closed,
                "source": "Pankova & Laud 2022, closed form (sound, coarser)",
            }
        figures = {"advantage": self.advantage, "per_precision": per_precision}
        source = SOURCES[self.bound] if self.combine == "one" else REPAIRED
        return epsilon_limit(
            epsilon,
            "guess_binds",
            of_release=True,
            error=error,
            figures=figures,
            source=source,
            grounds="proved_under",
            attained=True,
            as_published=published,
        )

    def jumps(self, setting: PrivacyInputs) -> bool:
        """Return whether the statistic may move in full however little the value does.

        A count reads a continuous value by a threshold, and a sum in steps rounds it: on the way from one value to
        another some little move is counted in full. So is one of values so near that their effect is less than what the
        statistic moves by at least.
        """
        grain, known = setting.grain, self._effects(setting)
        return grain is not None and any(
            _nearer(attribute, effect, grain) for attribute, effect in zip(self.attributes, known, strict=True)
        )

    def _effects(self, setting: PrivacyInputs) -> tuple[float | None, ...]:
        """Return how far each attribute moves some table at least, where it does by the figures of the tables."""
        if not isinstance(setting.pair, AttributeChange):
            return ()
        found = []
        for one, (name, _) in zip(self.attributes, setting.pair.steps, strict=True):
            stated = [dict(table.effects or ()).get(name) for table in setting.tables] if name is not None else []
            known = [effect for effect in (*stated, one.effect) if effect]
            found.append(min(known, default=None))
        return tuple(found)

    def _at_any_distance(self) -> float:
        """Return the largest loss that keeps the advantage at any distance: by the odds of a right guess alone."""
        assert self.advantage is not None
        if any(attribute.truth == "worst" for attribute in self.attributes):
            # tanh(loss/4) is the most over all chances
            return down(4.0 * math.atanh(self.advantage), 4) if self.advantage < 1.0 else math.inf
        return mathematics.categorical_epsilon(p=self._before(), advantage=self.advantage, direction=self.direction)

    def _left(self, spent: float) -> tuple[float, float]:
        """Return the largest epsilon per precision of this release, beside earlier ones that lost SPENT on any change.

        An earlier output z favours no value over another by more than e^spent, however near they are. So the odds of a
        right guess after both are at most e^spent times the odds after this release alone, and at least e^-spent times:

            P(y, z, g) = int_g p(x) P(y|x) P(z|x) <= sup_g P(z|x) int_g p(x) P(y|x),   the same with inf for what is not
            in g.

        Hence the target's odds are lowered by that factor. The subtraction from the epsilon per precision, which
        suffices where the earlier loss too grows with the distance, is never exceeded either.
        """
        assert self.advantage is not None
        whole = self._per_precision(self.bound, self.advantage, self.direction)
        if math.isinf(whole):
            return whole, 0.0
        found = max(0.0, down(whole - spent, 1))
        for way in self._ways():
            less = self._lessened(way, spent)
            found = min(found, self._per_precision(self.bound, less, way) if less > 0.0 else 0.0)
        return found, 0.0

    def _with_gap(self) -> tuple[float, float]:
        """Return the largest epsilon per precision where nothing was spent, and how far its proof may be below it."""
        assert self.advantage is not None
        if self.combine != "one":
            joint = self._joint(self.advantage, self.direction)
            return joint.epsilon, joint.gap
        one = self.attributes[0]
        if one.truth != "worst":
            return self._per_precision(self.bound, self.advantage, self.direction), 0.0
        assert one.prior is not None and one.precision is not None
        found = mathematics.worst_epsilon(
            prior=one.prior,
            precision=one.precision,
            advantage=self.advantage,
            bound="simplified" if self.bound == "simplified" else "exact",
            direction=self.direction,
        )
        return (math.inf, 0.0) if found.epsilon is None else (found.epsilon, found.gap)

    def _lessened(self, way: Way, spent: float) -> float:
        """Return the advantage that leaves room for earlier losses of SPENT; 0 or less where nothing is left."""
        assert self.advantage is not None
        if any(attribute.truth == "worst" for attribute in self.attributes):
            # no chance moves by more than tanh(spent/4) when its odds move by e^spent: that covers every truth
            return self.advantage - up(math.tanh(spent / 4.0), 4)
        p, factor = self._before(), math.exp(min(spent, 700.0))
        if way == "rise":
            target = p + self.advantage
            return 1.0 if target >= 1.0 else target / (target + (1.0 - target) * factor) - p - ROUNDING
        target = p - self.advantage
        return 1.0 if target <= 0.0 else p - target * factor / (target * factor + 1.0 - target) - ROUNDING

    def _ways(self) -> tuple[Way, ...]:
        return ("rise", "drop") if self.direction == "both" else (self.direction,)

    def _before(self) -> float:
        if self.combine != "one":
            return mathematics.combined_prior(attributes=self.attributes, combine=self.combine)
        one = self.attributes[0]
        assert one.prior is not None and one.truth is not None and one.truth != "worst" and one.precision is not None
        return mathematics.prior_probability(prior=one.prior, truth=one.truth, precision=one.precision)

    def _joint(self, advantage: float, direction: Literal["rise", "drop", "both"]) -> mathematics.WorstLimit:
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
            return self._joint(advantage, direction).epsilon
        one = self.attributes[0]
        assert one.prior is not None and one.truth is not None and one.precision is not None
        return mathematics.epsilon_for(
            prior=one.prior,
            truth=one.truth,
            precision=one.precision,
            advantage=advantage,
            bound="exact" if one.truth == "worst" and bound == "main" else bound,
            direction=direction,
        )

    def at(self, setting: PrivacyInputs, limit: Limit, epsilon: float) -> Mapping[str, Any]:
        """Return the largest advantage that EPSILON leaves, for the truth stated or the worst one."""
        if limit.status not in ("allowed", "unbounded"):
            return {}
        if self.statement == "expected":
            return self._expected_at(setting, epsilon)
        each, spent = self.each(setting, epsilon), setting.loss.spent
        try:
            found = max(self._advantage(each, way, spent) for way in self._ways())
            if spent:  # as the limit takes it off, in the second of two ways
                found = max(found, *(self._advantage(each + spent, way, 0.0) for way in self._ways()))
            if self.jumps(setting):
                anywhere = setting.value_loss.total_epsilon(epsilon)
                found = max(found, *(self._advantage(0.0, way, anywhere) for way in self._ways()))
            return {"advantage": within_limit(found, self.advantage, limit, epsilon)}
        except DPWizardError:
            return {}  # a bound without a figure for this combination: the limit itself stands

    def each(self, setting: PrivacyInputs, epsilon: float) -> float:
        """Return the loss per precision of everything at the release's EPSILON, but what is lost at any distance."""
        alone, moved = setting.loss.this_epsilon(epsilon), setting.loss.spent_per_move
        return up(alone + moved, 1) if moved else alone

    def _advantage(self, each: float, way: Way, spent: float) -> float:
        if self.combine != "one":
            before = self._before()
            after = mathematics.combined_posterior(
                attributes=self.attributes, combine=self.combine, epsilon=each, direction=way
            )
            return abs(moved(after, spent, way) - before)
        one = self.attributes[0]
        assert one.prior is not None and one.truth is not None and one.precision is not None
        if one.truth == "worst":
            gain = mathematics.worst_truth(
                prior=one.prior, precision=one.precision, epsilon=each, direction=way
            ).advantage
            return min(1.0, gain + math.tanh(spent / 4.0))
        after = mathematics.posterior(
            prior=one.prior, truth=one.truth, precision=one.precision, epsilon=each, bound=self.bound, direction=way
        )
        return abs(moved(after, spent, way) - self._before())


def _nearer(attribute: mathematics.Attribute, effect: float | None, grain: float) -> bool:
    """Return whether the values of ATTRIBUTE lie so near one another that their effect is less than GRAIN."""
    listed = attribute.prior.listed() if attribute.prior is not None else None
    if listed is None or effect is None:
        return True
    points = sorted({decimal(point) for point in listed})
    return any(decimal(effect) * (high - low) < decimal(grain) for low, high in itertools.pairwise(points))


def moved(chance: float, spent: float, way: Way) -> float:
    """Return CHANCE after its odds have moved by e^SPENT, up or down: what earlier releases add at most."""
    if spent == 0.0:
        return chance
    factor = math.exp(-min(spent, 700.0))
    one, other = (chance, (1.0 - chance) * factor) if way == "rise" else (chance * factor, 1.0 - chance)
    return one / (one + other) if one + other > 0.0 else chance
