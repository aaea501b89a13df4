"""No noise: a number published as it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dpwizard.privacy.mechanisms.base import Mechanism


@dataclass(frozen=True)
class Exact(Mechanism):
    """A number published as it is: no epsilon, no delta, and nothing that a program would have to add."""

    name: ClassVar[str] = "exact"
