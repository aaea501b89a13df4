"""What a field of a decision is called, from its path: in the words of its declaration."""

from __future__ import annotations

import re

from dpwizard.decision import Decision
from dpwizard.wording import field_label, word

REQUIREMENT = re.compile(r"\$\.requirements\[(\d+)\]")


def label(decision: Decision, path: str, *, named: bool = False) -> str:
    """Return what stands at PATH of DECISION is called: without any text that somebody typed, unless it is NAMED."""
    found = REQUIREMENT.match(path)
    if found is None:
        return field_label((Decision,), path, decision if named else None)
    requirement = decision.requirements[int(found[1])]
    number = word("edition", "requirement").format(number=int(found[1]) + 1)
    field = field_label((type(requirement),), path[found.end() :], requirement if named else None)
    return f"{number}: {field}" if field else number
