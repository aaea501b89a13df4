"""What a field of a decision is called, from its path: in the words of its declaration."""

from __future__ import annotations

from dpwizard.base.language import phrase
from dpwizard.base.values import Value
from dpwizard.decision import Decision, Details, Release, Risk, edits
from dpwizard.wording import word


def label(decision: Decision, path: str) -> str:
    """Return what stands at PATH of DECISION in the words of its declaration, without any text that somebody typed."""
    steps = edits.steps(path)
    if steps[0] == "requirements" and len(steps) > 1:
        kind = type(decision.requirements[int(steps[1])])
        number = word("edition", "requirement").format(number=int(steps[1]) + 1)
        return number if len(steps) < 3 else f"{number}: {_title(kind, str(steps[2]))}"
    owner: type[Value] = Details if steps[0] == "details" else Release if steps[0] == "release" else Decision
    if owner is not Decision and len(steps) < 2:
        owner = Decision
    title = _title(owner, str(steps[1] if owner is not Decision else steps[0]))
    if len(steps) < 3:
        return title
    field = _title(Risk, str(steps[3])) if owner is Details and len(steps) > 3 else None
    return f"{title} {int(steps[2]) + 1}" + (f": {field}" if field else "")


def _title(kind: type[Value], name: str) -> str:
    field = kind.model_fields.get(name)
    return phrase("label", (field.title if field is not None else None) or name)
