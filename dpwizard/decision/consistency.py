"""What the tables of a release may not contradict: names given twice, shares above the budget, sensitivities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction

from dpwizard.base.errors import InvalidInput
from dpwizard.base.fractional import exactly
from dpwizard.base.messages import Quantity, message
from dpwizard.base.nearest import nearest
from dpwizard.decision.earlier import EarlierRelease
from dpwizard.decision.in_periods import InPeriods
from dpwizard.decision.stated import Part, TableFields
from dpwizard.decision.tables import DOUBLE, NeighbouringRelation


def check_names(parts: Sequence[Part]) -> None:
    """Raise InvalidInput where two of PARTS have one name, or one is disjoint with a part that there is not."""
    names = Counter(part.name for part in parts if part.name is not None)
    for index, part in enumerate(parts):
        if part.name is not None and names[part.name] > 1:
            raise InvalidInput(
                message('the name "{name}" is given twice', name=part.name),
                f"parts[{index}].name",
                "Give every part a name of its own.",
            )
        for other in part.disjoint_with:
            if other not in names or other == part.name:
                near = nearest(other, (name for name in names if name != part.name))
                raise InvalidInput(
                    message('"{name}" is not another part', name=other)
                    if near is None
                    else message('"{name}" is not another part; did you mean "{near}"?', name=other, near=near),
                    f"parts[{index}].disjoint_with",
                    "Name the parts this one shares no unit with.",
                )


def check_periods(parts: Sequence[Part], in_periods: InPeriods | None) -> None:
    """Raise InvalidInput where one of PARTS states a year and a period, or IN_PERIODS cuts its period."""
    for index, part in enumerate(parts):
        if part.period is not None and part.year is not None:
            raise InvalidInput("does not go with year", f"parts[{index}].period", "State the year or the period.")
        if part.period is not None and in_periods is not None and in_periods.cuts(part.period):
            cut = message("is no whole number of periods of {of}; found {found}", of=in_periods.of, found=part.period)
            raise InvalidInput(cut, f"parts[{index}].period", "Count shorter periods in in_periods.of.")


def check_shares(parts: Sequence[Part], share_total: Callable[[], Fraction]) -> None:
    """Raise InvalidInput where the shares of PARTS, which come to SHARE_TOTAL together, are more than the budget."""
    for index, part in enumerate(parts):
        if part.share is not None and exactly(part.share) > 1:
            most = message("must be at most {most}; found {found}", most=Quantity(1), found=part.share)
            raise InvalidInput(most, f"parts[{index}].share", "Write half of the budget as 0.5 or 1/2.")
    found = share_total()
    if found > 1:
        total = Quantity(float(found))
        raise InvalidInput(
            message("the shares come to {total:g}, more than {most}", total=total, most=Quantity(1)),
            "parts",
            "Lower the shares of some parts to 1 in all.",
        )


def check_relations(stated: TableFields | EarlierRelease, neighbours: NeighbouringRelation | None, where: str) -> None:
    """Raise InvalidInput where STATED, at WHERE, changes by more than twice as much when a unit is replaced."""
    if stated.sensitivity is None or stated.sensitivity_other is None:
        return
    pair = (stated.sensitivity, stated.sensitivity_other)
    replaced, added = pair if neighbours == "replace" else reversed(pair)
    if replaced > DOUBLE * added * (1 + 1e-12):
        raise InvalidInput(
            message(
                "replacing one unit changes the release by {replace:g}, "
                "more than twice the {add_remove:g} of adding or removing one",
                replace=replaced,
                add_remove=added,
            ),
            f"{where}sensitivity_other",
            "Check both: replacing is removing one unit and adding another.",
        )
