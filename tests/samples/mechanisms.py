"""One sample of each mechanism: a table it suits, and a noise whose every figure a plain sum or integral gives."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from dpwizard.privacy.mechanisms import MechanismName


class Sample(NamedTuple):
    """A table with this mechanism; the scale of its noise, a shift of the table and in how many steps it goes."""

    statistic: str
    scale: float = 0.0
    shift: float = 0.0
    steps: int = 1
    epsilon: float | None = 0.8
    delta: float | None = None
    parameters: Mapping[str, Any] = MappingProxyType({})  # that a table states for it
    law: str | None = None  # of the judge's laws that of the noise it adds; None: the one of its own name

    def release(self, mechanism: str) -> dict[str, Any]:
        """Return a release of one such table, as a decision file states it."""
        stated = {"statistic": self.statistic, "mechanism": mechanism, "neighbours": "add_remove", "sensitivity": 1}
        return {
            **stated,
            "unit": "one person",
            **({} if self.delta is None else {"delta": self.delta}),
            **self.parameters,
        }


SAMPLES: dict[MechanismName, Sample] = {
    "geometric": Sample("count", scale=1.7, shift=3.0, steps=3),
    "laplace": Sample("sum", scale=1.7, shift=2.5),
    "gaussian": Sample("mean", scale=1.7, shift=2.5, delta=1e-6),
    "discrete_gaussian": Sample("count", scale=1.7, shift=3.0, steps=3, delta=1e-6),
    "exact": Sample("count", epsilon=None),
}
