"""Versions of the decision format: a file of an older one is upgraded when it is read, for ever.

An upgrade is a pure function from what a file of version n holds to what one of version n + 1 would hold. Once released
it is never changed; `tests/golden/decisions/` holds files of every version, and a test opens each.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

FAMILY = "dpwizard.decision"
CURRENT = 1

Raw = dict[str, Any]
Upgrade = Callable[[Raw], Raw]
UPGRADES: Mapping[int, Upgrade] = MappingProxyType({})  # from version n to n + 1; there is one version so far
_VERSIONED = re.compile(rf"{re.escape(FAMILY)}/([1-9][0-9]{{0,5}})")


def version(raw: Any) -> int | None:
    """Return the version of the decision format that RAW says it has; None if it says none."""
    stated = raw.get("format") if isinstance(raw, dict) else None
    found = _VERSIONED.fullmatch(stated) if isinstance(stated, str) else None
    return int(found[1]) if found else None


def upgraded(raw: Raw, upgrades: Mapping[int, Upgrade] = UPGRADES, current: int = CURRENT) -> Raw:
    """Return what RAW, a decision of some version, is in the CURRENT one; RAW itself if that, newer or unknown."""
    stated = version(raw)
    while stated is not None and stated < current and stated in upgrades:
        raw = {**upgrades[stated](copy.deepcopy(raw)), "format": f"{FAMILY}/{stated + 1}"}
        stated += 1
    return raw
