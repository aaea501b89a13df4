"""Versions of the decision format: a file of an older version is upgraded when it is read."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message

FAMILY = "dpwizard.decision"
CURRENT = 1

Raw = dict[str, Any]
Upgrade = Callable[[Raw], Raw]
UPGRADES: Mapping[int, Upgrade] = MappingProxyType({})  # from n to n + 1, never changed once released
_VERSIONED = re.compile(rf"{re.escape(FAMILY)}/([1-9][0-9]{{0,5}})")


def version(raw: Any) -> int | None:
    """Return the version of the decision format that RAW states; None if it states none."""
    stated = raw.get("format") if isinstance(raw, dict) else None
    match = _VERSIONED.fullmatch(stated) if isinstance(stated, str) else None
    return int(match[1]) if match else None


def upgraded(raw: Raw, upgrades: Mapping[int, Upgrade] = UPGRADES, current: int = CURRENT) -> Raw:
    """Return RAW, a decision of some version, in the CURRENT one; RAW itself if it is that, newer or unknown."""
    stated = version(raw)
    while stated is not None and stated < current and stated in upgrades:
        raw = {**upgrades[stated](copy.deepcopy(raw)), "format": f"{FAMILY}/{stated + 1}"}
        stated += 1
    return raw


def require_known_format(raw: Any, known: str, where: str) -> None:
    """Raise InvalidInput if RAW states another version of the format KNOWN than that."""
    stated = raw.get("format") if isinstance(raw, dict) else None
    family = known.rpartition("/")[0]
    if isinstance(stated, str) and stated != known and stated.startswith(f"{family}/"):
        raise InvalidInput(
            message('"{format}" is not a version this program can read', format=stated[:60]),
            f"{where}.format",
            message('It can read "{format}".', format=known),
        )
