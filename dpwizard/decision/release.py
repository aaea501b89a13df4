"""The release: what is published, about whom, with which noise, and how its epsilon converts.

Epsilon is the loss of one repetition of the whole release, all its numbers together, under the declared
neighbour relation. Requirements speak of other relations, of all repetitions or of one number; the
settings below hold just what each reads, so that an unchanged setting means an unchanged answer.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field, model_validator

from dpwizard.errors import InvalidInput
from dpwizard.numerics import decimal, down, up
from dpwizard.privacy.mechanisms import MechanismKind
from dpwizard.values import (
    Belief,
    Count,
    LongText,
    NonNegative,
    OpenProbability,
    Positive,
    Probability,
    ShortText,
    Value,
    field,
)

Neighbours = Literal["add_remove", "replace"]
Statistic = Literal["count", "sum", "mean", "histogram", "vector"]
PriorsFrom = Literal["this_release", "before_all"]
PostProcessing = Literal["rounding", "clamping", "consistency", "other"]

MOST_PARTS = 100
MOST_ENTRIES = 1_000
STEP_HELP = (
    "Every value, and every bound it is clamped to, is a multiple of it: for instance 1. "
    "Geometric noise hides no fraction, and needs a whole number here."
)
DOUBLE = 2.0  # D_replace <= 2 D_add_remove: replacing is removing one and adding another


class Spent(Value):
    """An earlier release on the same people, and the epsilon it cost."""

    record: ShortText | None = field("Record", "The number or title of the earlier decision record.")
    epsilon: NonNegative | None = field("Epsilon spent", "As that record states it.", unit="epsilon")
    neighbours: Neighbours | None = field("Neighbours", "The relation that record speaks of.")
    date: ShortText | None = field("Date", "When it was published.")


class Part(Value):
    """One table of a publication of several, with its share of epsilon."""

    name: ShortText | None = field("Name", "What the table is called.")
    statistic: Statistic | None = field("Statistic", "What the table holds.")
    sensitivity: Positive | None = field(
        "Sensitivity",
        "The most that one unit changes the table by, under the declared neighbours.",
        unit="in the statistic's unit",
    )
    step: Positive | None = field("Step of a sum", STEP_HELP, unit="in the statistic's unit")
    dimension: Count = field("Numbers published", "How many numbers the table holds.", default=1, unit="numbers")
    mechanism: MechanismKind | None = field("Mechanism", "Absent: that of the release.")
    share: Belief | None = field("Share of epsilon", "How much of epsilon this part uses; together at most all of it.")
    disjoint_with: Annotated[tuple[ShortText, ...], Field(max_length=MOST_PARTS)] = field(
        "Disjoint with", "Names of the parts that no unit shares with this one.", default=()
    )


class Flaw(NamedTuple):
    """What keeps every privacy promise about a release from holding: where it is mended, the key of its sentence, its
    figures."""

    where: str
    key: str
    figures: Mapping[str, Any]


class PrivacySetting(Value):
    """What a privacy requirement reads of a release: noise, relations, repetitions and what is spent.

    The figures are those of the one table published. Of several tables the release as a whole has no figure that
    converts a loss: each has its own ratio of sensitivities, so only the factor 2 holds for all of them together.
    """

    mechanisms: tuple[MechanismKind, ...]
    delta: float | None  # of all tables of one repetition together
    relation: Neighbours  # the one the requirement speaks of
    declared: Neighbours
    sensitivity: float | None  # of the one table, under the declared relation
    sensitivity_own: float | None  # under the requirement's relation; an upper bound where only that is known
    replace_factor: float | None  # D_replace / D_add_remove, where both are known and hold for all that is counted
    dimension: int
    repetitions: int
    spent: float | None  # under the requirement's relation, to be subtracted; None: it cannot be converted
    step: float = 1.0  # geometric noise is added in steps of a sum; that of the one table
    post_processed: bool = False  # told only to those promises that processing ends
    statistic: Statistic | None = None  # of the one table
    shares: tuple[float, ...] = (1.0,)  # of epsilon, one for each table
    table_delta: float | None = None  # at which each Gaussian table is made
    contributions: int = 1
    grain: float | None = (
        None  # what moves the statistic at all moves it by this at least; None: it may move by any little
    )

    @property
    def tables(self) -> int:
        return len(self.shares)

    def _scale(self) -> float:
        """Return how much of the release's epsilon one unit of loss under the requirement's relation is worth, at
        least."""
        if self.relation == self.declared:
            return 1.0
        if self.sensitivity_own is not None and self.sensitivity is not None:
            return self.sensitivity / self.sensitivity_own
        return 1.0 / DOUBLE if self.relation == "replace" else 0.0  # nothing bounds D_add_remove by D_replace

    def limit(self, epsilon: float) -> float:
        """Return the release's epsilon that EPSILON, a limit in the requirement's own terms, allows.

        Rounded down: never above the true value. Basic composition over repetitions; conversion by noise scale.
        """
        left, scale = max(0.0, epsilon - (self.spent or 0.0)), self._scale()
        exact = scale == 1.0 and self.repetitions == 1 and not self.spent
        return epsilon if exact else down(left * scale / self.repetitions, 4)

    def own(self, epsilon: float) -> float:
        """Return what a release at EPSILON costs in the requirement's own terms: all repetitions, and what is spent."""
        scale = self._scale()
        if scale == 0.0:
            return math.inf if epsilon > 0.0 else self.spent or 0.0
        exact = scale == 1.0 and self.repetitions == 1 and not self.spent
        return epsilon if exact else up(epsilon / scale * self.repetitions + (self.spent or 0.0), 4)

    def besides_spent(self, own: float) -> float:
        """Return OWN, a loss in the requirement's own terms, without what is spent: of this release alone, rounded
        up."""
        return max(0.0, up(own - self.spent, 2)) if self.spent else own

    def with_spent(self, left: float) -> float:
        """Return a limit on everything from LEFT, one on this release alone; rounded down, so that `limit` gives no
        more than LEFT."""
        return down(left + self.spent, 2) if self.spent else left


class NumberSetting(Value):
    """What an accuracy requirement reads of a release: the noise on one number of one repetition."""

    mechanism: MechanismKind
    delta: float | None  # of this table alone
    sensitivity: float
    share: float
    step: float = 1.0  # geometric noise is added in steps of a sum

    def need(self, epsilon: float) -> float:
        """Return the release's epsilon for which this number gets EPSILON; rounded up, never below the true value."""
        return epsilon if self.share == 1.0 else up(epsilon / self.share, 4)

    def own(self, epsilon: float) -> float:
        """Return the epsilon this number gets from a release at EPSILON."""
        return epsilon * self.share


class Release(Value):
    """What will be published, about whom, and with which noise."""

    description: LongText | None = field("Description", "What will be published, in a sentence.")
    statistic: Statistic | None = field("Statistic", "A count, a sum, a mean, a histogram or a vector of numbers.")
    neighbours: Neighbours | None = field(
        "Neighbours",
        "Whether one unit is added or removed, or its values are replaced while the number of units stays.",
    )
    sensitivity: Positive | None = field(
        "Sensitivity",
        "The most that one unit changes the release by, under the declared neighbours.",
        unit="in the statistic's unit",
    )
    sensitivity_other: Positive | None = field(
        "Sensitivity under the other relation", "If known, it makes limits sharper.", unit="in the statistic's unit"
    )
    step: Positive | None = field("Step of a sum", STEP_HELP, unit="in the statistic's unit")
    derivation: LongText | None = field(
        "How the sensitivity was found", "In a sentence, with the bounds it rests on; the helper writes one."
    )
    dimension: Count = field(
        "Numbers published", "How many numbers one repetition publishes.", default=1, unit="numbers"
    )
    mechanism: MechanismKind | None = field(
        "Mechanism", "The noise: geometric (whole numbers), Laplace, Gaussian; or exact, without any."
    )
    delta: OpenProbability | None = field(
        "Delta", "Gaussian noise only: how far the chance of anything may go beyond what epsilon allows."
    )
    repetitions: Count = field(
        "Repetitions", "How often the release is made on the same people.", default=1, unit="times"
    )
    unit: ShortText | None = field("Unit of privacy", "Who or what is protected as one: a person, a household.")
    contributions: Count = field(
        "Contributions of one unit", "The most rows, cells or tables one unit touches.", default=1, unit="rows"
    )
    population: Count | None = field("Population", "How many units the data are drawn from.", unit="units")
    sampling_fraction: Probability | None = field("Sampling fraction", "The fraction of the population in the data.")
    sample_secret: bool | None = field("Sample kept secret", "Whether nobody can learn who was sampled.")
    published_elsewhere: LongText | None = field(
        "Published elsewhere", "Exact figures and older releases on the same people."
    )
    post_processing: tuple[PostProcessing, ...] = field(
        "Post-processing", "What is done to the noisy figures.", default=()
    )
    spent: Annotated[tuple[Spent, ...], Field(max_length=MOST_ENTRIES)] = field(
        "Already spent", "Earlier releases.", default=()
    )
    priors_from: PriorsFrom = field(
        "What beliefs are counted from", "Just before this release, or before all releases.", default="this_release"
    )
    parts: Annotated[tuple[Part, ...], Field(max_length=MOST_PARTS)] = field(
        "Parts", "The tables of a publication of several.", default=()
    )

    @model_validator(mode="after")
    def _is_consistent(self) -> Release:
        names = [part.name for part in self.parts if part.name is not None]
        for index, part in enumerate(self.parts):
            if part.name is not None and names.count(part.name) > 1:
                raise InvalidInput(
                    f'the name "{part.name}" is given twice',
                    f"parts[{index}].name",
                    "Give every part a name of its own.",
                )
            for other in part.disjoint_with:
                if other not in names or other == part.name:
                    raise InvalidInput(
                        f'"{other}" is not another part',
                        f"parts[{index}].disjoint_with",
                        "Name the parts this one shares no unit with.",
                    )
        if self.parts and self.share_total() > 1:
            raise InvalidInput(
                f"the shares come to {float(self.share_total()):g}, more than 1",
                "parts",
                "Lower the shares of some parts to 1 in all.",
            )
        if self.sensitivity is not None and self.sensitivity_other is not None:
            replace, add_remove = self._both(self.sensitivity, self.sensitivity_other)
            if replace > DOUBLE * add_remove * (1 + 1e-12):
                raise InvalidInput(
                    f"replacing one unit changes the release by {replace:g}, more than twice the {add_remove:g} of "
                    "adding or removing one",
                    "sensitivity_other",
                    "Check both: replacing is removing one unit and adding another.",
                )
        return self

    def _both(self, declared: float, other: float) -> tuple[float, float]:
        return (declared, other) if self.neighbours == "replace" else (other, declared)

    def share_total(self) -> Fraction:
        """Return how much of epsilon the parts use together, as an exact fraction.

        Under add_remove, parts that no unit shares compose in parallel: a greedy colouring gives a sum of
        largest shares that is never below the true total. Under replace a unit may move between disjoint
        parts, so the shares are added.
        """
        shares = [(decimal(part.share), part) for part in self.parts if part.share is not None]
        if self.neighbours == "replace":
            return sum((share for share, _ in shares), start=Fraction(0))
        groups: list[list[Part]] = []
        total = Fraction(0)
        for share, part in sorted(shares, key=lambda pair: -pair[0]):
            for group in groups:
                if all(_disjoint(part, other) for other in group):
                    group.append(part)  # its share is no larger than the group's first
                    break
            else:
                groups.append([part])
                total += share
        return total

    def amplified(self, epsilon: float) -> float | None:
        """Return EPSILON as it is for a unit of which nobody knows whether it was sampled, rounded up; None where
        sampling adds nothing.

        Holds where each unit is drawn by chance (add_remove) or so many at once (replace), and the sample stays secret:
        log(1 + fraction (e^epsilon - 1)). No limit relies on it. Source: Balle, Barthe & Gaboardi 2018, Theorems 8 and
        9.
        """
        if not self.sample_secret or not self.sampling_fraction or "exact" in self.mechanisms() or self.flaws():
            return None  # where no promise holds there is none to sharpen
        if epsilon > 700.0:
            return epsilon
        return up(min(epsilon, math.log1p(self.sampling_fraction * math.expm1(epsilon))), 4)

    def mechanisms(self) -> tuple[MechanismKind, ...]:
        """Return every kind of noise the release uses, each once."""
        return tuple(dict.fromkeys(kind for kind in self._kinds() if kind is not None))

    def _kinds(self) -> tuple[MechanismKind | None, ...]:
        return tuple(part.mechanism or self.mechanism for part in self.parts) or (self.mechanism,)

    def deltas(self) -> int:
        """Return how many times delta is spent in all: once by all tables of one repetition together."""
        return self.repetitions if "gaussian" in self._kinds() else 0

    def table_delta(self) -> float | None:
        """Return the delta at which each Gaussian table is made, rounded down: an equal part of the release's own.

        Epsilon and delta are stated for all tables of one repetition together. By basic composition (Dwork & Roth 2014,
        Theorem 3.16) the tables come to the sum of their epsilons and the sum of their deltas.
        """
        tables = self._kinds().count("gaussian")
        return self.delta if self.delta is None or tables < 2 else down(self.delta / tables, 1)

    def missing(self) -> tuple[str, ...]:
        """Return the fields that no decision can do without and that have no answer yet."""
        told = bool(self.parts) and all(
            part.statistic is not None for part in self.parts
        )  # each table says what it holds
        wanted = ["neighbours", "unit"] if told else ["statistic", "neighbours", "unit"]
        wanted += [] if self.parts else ["mechanism", "sensitivity"]
        wanted += ["delta"] if "gaussian" in self.mechanisms() else []
        missing = [name for name in wanted if getattr(self, name) is None]
        for index, part in enumerate(self.parts):
            missing += [
                f"parts[{index}].{name}" for name in ("name", "sensitivity", "share") if getattr(part, name) is None
            ]
            missing += [f"parts[{index}].mechanism"] if part.mechanism is None and self.mechanism is None else []
        for index, earlier in enumerate(self.spent):
            missing += [
                f"spent[{index}].{name}" for name in ("epsilon", "neighbours") if getattr(earlier, name) is None
            ]
        return tuple(missing)

    # ------------------------------------------------------------------- what no theorem can speak of

    def flaws(self) -> tuple[Flaw, ...]:
        """Return why no privacy promise about this release holds: noise that hides no fraction, figures that contradict
        one another."""
        return (*self._uncovered(), *self._contradictions())

    def exact_tables(self) -> tuple[str, ...]:
        """Return the names of the tables published without noise beside noisy ones.

        The worlds that a promise compares must agree on every exact figure. What such a table reads is not known, so no
        promise holds.
        """
        exact = [(part.name or "") for part in self.parts if (part.mechanism or self.mechanism) == "exact"]
        return tuple(exact) if len(exact) < len(self.parts) else ()

    def assumed(self) -> tuple[str, ...]:
        """Return the keys of the sentences that every privacy promise about this release rests on."""
        tables = tuple(self._tables())
        found = ["whole_numbers"] if any(t.kind == "geometric" and t.statistic == "vector" for t in tables) else []
        found += ["counts_units_once"] if self.counts_below_contributions() else []
        spread = len(tables) > 1 and any(t.statistic == "histogram" and t.below(self.contributions) for t in tables)
        found += ["contributions_over_tables"] if spread else []
        # under replace all rows of a unit may move: c rows leave their cells, c others are filled
        stay = any(
            t.statistic == "histogram" and t.dimension > 1 and t.replace_below(2 * self.contributions) for t in tables
        )
        found += ["stays_in_its_cells"] if stay else []
        return (*found, *(("exact_figures_elsewhere",) if (self.published_elsewhere or "").strip() else ()))

    def counts_below_contributions(self) -> tuple[tuple[str, float], ...]:
        """Return where a count changes by less than a unit has rows, and that sensitivity: it holds for a count of
        units, not of rows."""
        low = (t for t in self._tables() if t.statistic == "count" and t.least() < self.contributions)
        return tuple((f"{table.place}.sensitivity", table.least()) for table in low)

    def _tables(self) -> Iterator[_Table]:
        """Yield what is stated of each table; a release without parts is one."""
        places: list[tuple[str, Release | Part]] = [
            (f"$.release.parts[{i}]", part) for i, part in enumerate(self.parts)
        ]
        for place, each in places or [("$.release", self)]:
            other = each.sensitivity_other if isinstance(each, Release) else None
            replace = each.sensitivity if self.neighbours == "replace" else other
            kind, statistic = each.mechanism or self.mechanism, each.statistic or self.statistic
            figures = tuple(figure for figure in (each.sensitivity, other) if figure is not None)
            name = each.name if isinstance(each, Part) else None
            yield _Table(place, name, kind, statistic, each.step, each.dimension, figures, replace)

    def _uncovered(self) -> Iterator[Flaw]:
        """Yield the tables with geometric noise that may hold fractions: the noise is whole, so a fraction is published
        as it is."""
        for table in self._tables():
            whole = table.step is not None and table.step.is_integer()
            if table.kind == "geometric" and (table.statistic == "mean" or (table.statistic == "sum" and not whole)):
                where = f"{table.place}.{'mechanism' if table.statistic == 'mean' else 'step'}"
                yield Flaw(where, "whole_numbers", {"tables": table.names(), "field": where})

    def _contradictions(self) -> Iterator[Flaw]:
        """Yield the sensitivities that other answers contradict: a unit's contributions, or the sensitivity of the
        whole release."""
        c, tables = self.contributions, tuple(self._tables())
        bins = [table for table in tables if table.statistic == "histogram"]
        pure = all(table.kind != "gaussian" and table.figures for table in tables)
        over = len(tables) == 1 or (
            pure and len(bins) == len(tables) and sum(decimal(table.least()) for table in tables) < c
        )
        for table in bins if over else ():
            if table.below(c):
                where = f"{table.place}.sensitivity"
                figures = {"sensitivity": table.least(), "contributions": c, "tables": table.names(), "field": where}
                yield Flaw(where, "histogram_below_contributions", figures)
        for table in tables if self.parts and self.sensitivity is not None else ():
            comparable = table.kind == "gaussian" or "gaussian" not in (self.mechanism, *(t.kind for t in tables))
            if (
                comparable
                and self.sensitivity is not None
                and table.figures
                and table.figures[0] > self.sensitivity * (1 + 1e-12)
            ):
                where = f"{table.place}.sensitivity"
                figures = {
                    "sensitivity": table.figures[0],
                    "whole": self.sensitivity,
                    "tables": table.names(),
                    "field": where,
                }
                yield Flaw(where, "part_above_release", figures)

    def below_steps(self) -> Iterator[Flaw]:
        """Yield the sensitivities below the least by which their table changes where it changes at all: such noise
        hides no one."""
        for table in self._tables():
            grain = table.grain()
            if grain is not None and any(decimal(figure) < decimal(grain) for figure in table.figures):
                where = f"{table.place}.sensitivity"
                figures = {"sensitivity": table.least(), "step": grain, "tables": table.names(), "field": where}
                yield Flaw(where, "sensitivity_below_step", figures)

    def counts_spent(self) -> bool:
        """Return whether beliefs are counted from before earlier releases that cost something, or whose cost is not
        answered yet."""
        return self.priors_from == "before_all" and any(earlier.epsilon != 0.0 for earlier in self.spent)

    def spent_under(self, relation: Neighbours) -> float | None:
        """Return the epsilon spent by earlier releases under RELATION, rounded up; None if that cannot be said."""
        losses = []
        for earlier in self.spent:
            if earlier.epsilon is None or earlier.neighbours is None:
                return None
            if earlier.neighbours != relation and relation == "add_remove" and earlier.epsilon > 0:
                return None  # nothing bounds D_add_remove by D_replace
            losses.append(earlier.epsilon * (1.0 if earlier.neighbours == relation else DOUBLE))
        return up(math.fsum(losses), 1)

    def privacy_setting(self, relation: Neighbours | None = None) -> PrivacySetting | tuple[str, ...]:
        """Return what a privacy requirement that speaks of RELATION reads (None: the declared one).

        Returns the names of the unanswered fields instead where some are needed.
        """
        missing = [name for name in ("neighbours",) if getattr(self, name) is None]
        missing += ["mechanism"] if not self.mechanisms() else []
        missing += ["delta"] if "gaussian" in self.mechanisms() and self.delta is None else []
        if self.neighbours is None or missing:
            return tuple(f"$.release.{name}" for name in missing)
        asked = relation or self.neighbours
        statistic, sensitivity, other = self._of_one_table()
        own, factor = sensitivity if asked == self.neighbours else other, None
        if sensitivity is not None and other is not None and not self.counts_spent():
            # what is known of this release is not known of the earlier ones: once their loss counts, only the factor 2
            # holds for the sum
            replace, add_remove = self._both(sensitivity, other)
            factor = min(replace / add_remove, DOUBLE)
        if own is None and asked == "replace" and sensitivity is not None:
            own = DOUBLE * sensitivity
        return PrivacySetting(
            mechanisms=self.mechanisms(),
            delta=self.delta,
            relation=asked,
            declared=self.neighbours,
            sensitivity=sensitivity,
            sensitivity_own=own,
            replace_factor=factor,
            dimension=max(self.dimension, sum(part.dimension for part in self.parts)),
            repetitions=self.repetitions,
            spent=self.spent_under(asked) if self.priors_from == "before_all" else 0.0,
            step=max(table.noise_step() for table in self._tables()),
            statistic=statistic,
            # a share that is not answered yet is at most all of epsilon
            shares=tuple(1.0 if part.share is None else part.share for part in self.parts) or (1.0,),
            table_delta=self.table_delta(),
            contributions=self.contributions,
            grain=max((table.grain() or 0.0 for table in self._tables()), default=0.0) or None,
        )

    def _of_one_table(self) -> tuple[Statistic | None, float | None, float | None]:
        """Return statistic, sensitivity and sensitivity under the other relation of the one table; of several no one
        figure speaks.

        Where a part is given, the release's sensitivity under the other relation is the part's only if both agree on
        the declared one.
        """
        if not self.parts:
            return self.statistic, self.sensitivity, self.sensitivity_other
        if len(self.parts) > 1:
            return None, None, None
        part = self.parts[0]
        agrees = part.sensitivity is not None and part.sensitivity == self.sensitivity
        return part.statistic or self.statistic, part.sensitivity, self.sensitivity_other if agrees else None

    def sensitivity_place(self) -> str:
        """Return where the sensitivity of the one table is answered."""
        return "$.release.parts[0].sensitivity" if self.parts else "$.release.sensitivity"

    def processed_setting(self, relation: Neighbours | None = None) -> PrivacySetting | tuple[str, ...]:
        """Return the same for a requirement whose promise speaks of the noisy figure itself, and so ends where that is
        processed."""
        setting = self.privacy_setting(relation)
        if isinstance(setting, PrivacySetting) and self.post_processing:
            return setting.model_copy(update={"post_processed": True})
        return setting

    def number_setting(self, part: str | None = None) -> NumberSetting | tuple[str, ...]:
        """Return what an accuracy requirement on PART reads (None: the release has no parts, or only one).

        Returns the names of the unanswered fields instead where some are needed.
        """
        if self.parts and part is None and len(self.parts) > 1:
            return ("part",)
        index = next((i for i, p in enumerate(self.parts) if part is None or p.name == part), None)
        if part is not None and index is None:
            return ("part",)
        chosen = self.parts[index] if index is not None else None
        mechanism = (chosen.mechanism if chosen else None) or self.mechanism
        sensitivity = chosen.sensitivity if chosen else self.sensitivity
        share = chosen.share if chosen else 1.0
        place = f"$.release.parts[{index}]" if chosen else "$.release"
        missing = [f"{place}.mechanism"] if mechanism is None else []
        missing += [f"{place}.sensitivity"] if sensitivity is None else []
        missing += [f"{place}.share"] if share is None else []
        missing += ["$.release.delta"] if mechanism == "gaussian" and self.delta is None else []
        if mechanism is None or sensitivity is None or share is None or missing:
            return tuple(missing)
        return NumberSetting(
            mechanism=mechanism,
            delta=self.table_delta() if mechanism == "gaussian" else None,
            sensitivity=sensitivity,
            share=share,
            step=next((table.noise_step() for table in self._tables() if table.place == place), 1.0),
        )


class _Table(NamedTuple):
    """What is stated of one table; FIGURES are its sensitivities that are stated, the declared relation's first."""

    place: str
    name: str | None
    kind: MechanismKind | None
    statistic: Statistic | None
    step: float | None
    dimension: int
    figures: tuple[float, ...]
    replace: float | None

    def noise_step(self) -> float:
        """Return in steps of what geometric noise is added: those of a sum; of what is no sum, 1."""
        return self.step if self.kind == "geometric" and self.statistic == "sum" and self.step is not None else 1.0

    def grain(self) -> float | None:
        """Return the least by which the table changes where it changes at all: rows are counted whole, a sum moves by
        its step."""
        if self.statistic in ("count", "histogram") or (self.statistic == "vector" and self.kind == "geometric"):
            return 1.0
        return self.step if self.statistic == "sum" and self.kind == "geometric" else None

    def names(self) -> tuple[str, ...]:
        return (self.name,) if self.name else ()

    def least(self) -> float:
        return min(self.figures, default=math.inf)

    def below(self, rows: int) -> bool:
        """Return whether a sensitivity is below what ROWS rows of a unit, each in a cell of its own, change: L2 under
        Gaussian noise."""
        return any(self._reached(figure) < rows for figure in self.figures)

    def replace_below(self, rows: int) -> bool:
        return self.replace is not None and self._reached(self.replace) < rows

    def _reached(self, figure: float) -> Fraction:
        return decimal(figure) ** 2 if self.kind == "gaussian" else decimal(figure)


def _disjoint(one: Part, other: Part) -> bool:
    return other.name in one.disjoint_with or one.name in other.disjoint_with
