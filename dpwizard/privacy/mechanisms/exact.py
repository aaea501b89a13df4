"""No noise: a number published as it is."""

from __future__ import annotations

from typing import ClassVar, Literal

from dpwizard.privacy.mechanisms.base import Mechanism


class Exact(Mechanism):
    """A number published as it is: no epsilon, no delta, and nothing that a program would have to add."""

    name: ClassVar[Literal["exact"]] = "exact"
