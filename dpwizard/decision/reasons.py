"""Reasons why a requirement is not met or is open, independent of language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

Check = Literal[
    "relation",
    "tables",
    "moves",
    "effects",
    "spent",
    "repetitions",
    "independence",
    "whole_numbers",
    "exact_figures",
    "post_processing",
    "tolerance",
]
NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, kw_only=True)
class Reason:
    """The key of a sentence and its values; the field that resolves it, and the failed check, if any."""

    key: str
    values: Mapping[str, Any] = field(default_factory=lambda: NOTHING, hash=False)
    where: str = ""  # the path of a field
    step: str = ""  # the step of the wizard with that field
    check: Check | None = None  # on the way from the release to the theorem

    def as_plain(self) -> dict[str, Any]:
        place = {"step": self.step, "where": self.where} if self.step else {}
        return {**place, "key": self.key, "with": self.values}


def missing(check: Check, key: str, **values: Any) -> Reason:
    """Return why the loss of a release is unknown: CHECK failed."""
    return Reason(key=key, values=values, check=check)
