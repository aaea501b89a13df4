"""Arguments of the functions on guessing, and the treatment of numbers too large for floating point."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Annotated, Literal, ParamSpec, TypeVar

import numpy as np
from pydantic import Field

from dpwizard.base.errors import DPWizardError, InvalidInput, SolverFailure
from dpwizard.base.numerics import UNIT
from dpwizard.base.values import Number, Positive, ShortText, Value, field
from dpwizard.privacy.guessing_advantage.given_truth import Direction
from dpwizard.privacy.guessing_advantage.several_guesses import Combine, Guess
from dpwizard.privacy.priors import Prior, answered

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

Directions = Literal["rise", "drop", "both"]
Truth = Number | Literal["worst"]

SAFE = 1.0 - 16.0 * UNIT


def sheltered(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Silence NumPy's warnings in FUNCTION, and turn its arithmetic errors into a SolverFailure."""

    @functools.wraps(function)
    def call(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        try:
            with np.errstate(all="ignore"):
                return function(*args, **kwargs)
        except DPWizardError:
            raise
        except (ArithmeticError, ValueError) as error:
            raise SolverFailure(
                "could not be computed: the numbers are too far apart for floating point",
                "",
                "Bring the prior, truth and precision closer.",
            ) from error

    return call


class Attribute(Value):
    """An attribute that the adversary guesses."""

    name: ShortText | None = field(
        "Name", "How much each table changes when this value changes by 1, as the tables state it.", editor="attribute"
    )
    prior: Prior | None = field(
        "What the adversary thinks before the release",
        "How likely the adversary thinks each value before the release. Take this from public sources or "
        "assume it. Never take it from the data.",
        tempting=True,
    )
    truth: Truth | None = field("The true value", 'Your choice, never a confidential one, or "worst".', tempting=True)
    precision: Positive | None = field(
        "Precision", "A guess this close counts as right.", unit="in the attribute’s unit"
    )
    effect: Positive | None = field(
        "Effect",
        "How much the statistic changes per unit of the attribute: 1 for a sum, 1/n for a mean.",
        editor="effect",
    )

    def missing(self) -> tuple[str, ...]:
        """Return the names of the fields that are not answered, those of the prior as prior.NAME."""
        required = ("prior", "truth", "precision", *(("effect",) if self.name is None else ()))
        names = [name for name in required if getattr(self, name) is None]
        return (*names, *(f"prior.{name}" for name in (self.prior.missing() if self.prior is not None else ())))


Attributes = Annotated[tuple[Attribute, ...], Field(min_length=1, max_length=50)]


def changes_of(direction: Directions) -> tuple[Direction, ...]:
    return ("rise", "drop") if direction == "both" else (direction,)


def as_guesses(attributes: Sequence[Attribute], combine: Combine, worst_allowed: bool) -> tuple[Guess, ...]:
    """Return the attributes as guesses; raise InvalidInput naming an unanswered field."""
    if combine == "one" and len(attributes) != 1:
        raise InvalidInput(
            "must have exactly one entry; found {found}",
            "attributes",
            'Combine several with "and" or "or".',
            found=len(attributes),
        )
    guesses = []
    for index, attribute in enumerate(attributes):
        where = f"attributes[{index}]"
        if attribute.prior is None or attribute.truth is None or attribute.precision is None:
            name = next(name for name in ("prior", "truth", "precision") if getattr(attribute, name) is None)
            raise InvalidInput("is not answered", f"{where}.{name}", "Enter a value.")
        answered(attribute.prior, f"{where}.prior")
        if attribute.truth == "worst" and not worst_allowed:
            raise InvalidInput(
                'must be a number here; found "worst"',
                f"{where}.truth",
                "The worst truth depends on epsilon: give a number.",
            )
        guesses.append(
            Guess(attribute.prior, None if attribute.truth == "worst" else float(attribute.truth), attribute.precision)
        )
    return tuple(guesses)


def weight_of(attributes: Sequence[Attribute]) -> float:
    """Return the change of the statistic when every attribute changes by its precision."""
    total = 0.0
    for index, attribute in enumerate(attributes):
        if attribute.effect is None or attribute.precision is None:
            name = "effect" if attribute.effect is None else "precision"
            raise InvalidInput("is not answered", f"attributes[{index}].{name}", "Enter a value.")
        total += min(attribute.effect * attribute.precision, 1e300)
    return total
