"""The uniform prior: every value between two ends is equally likely."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from dpwizard.base.numerics import decimal
from dpwizard.base.values import Number, field
from dpwizard.privacy.priors.density import Bins
from dpwizard.privacy.priors.distribution import Between


class Uniform(Between):
    """Every value between two ends is as likely as any other."""

    quick = True
    flat = True
    title = "Uniform: every value between two ends equally likely"

    family: Literal["uniform"] = "uniform"
    low: Number | None = field("Smallest value", "Nothing smaller is possible.", unit="in the attribute’s unit")
    high: Number | None = field("Largest value", "Nothing larger is possible.", unit="in the attribute’s unit")

    def seen_from(self, origin: Fraction, precision: Fraction) -> Bins:
        edges = [decimal(end) for end in self.support()]
        return Bins(edges, [Fraction(1)], origin, precision)
