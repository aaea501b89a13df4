"""What went wrong, for those who do not know paths into a file: the field's label, what is wrong, what to do."""

from __future__ import annotations

import re

from dpwizard.base.errors import DPWizardError
from dpwizard.decision import Decision, edits
from dpwizard.wording import field_label, word
from ui.widgets import tr

KEY = re.compile(r"[a-z][a-z_-]*")  # how the model names what it was given, as against a file or a label


def in_words(problem: DPWizardError, *, leads: bool = False) -> str:
    """Return PROBLEM in words; LEADS, whether a button beside it leads to the field, which then needs no name."""
    where, text = problem.where, problem.text
    place = _called(where)
    if where.startswith("$") and (leads or not place):
        message = f"{text[:1].upper()}{text[1:]}"
    elif place and place != where:
        message = tr("{field}: {what}", field=place, what=text)
    else:
        message = f"{place} {text}" if place else f"{text[:1].upper()}{text[1:]}"
    return f"{message.rstrip('.')}. {problem.remedy}".strip()


def _called(where: str) -> str:
    """Return what stands at WHERE in words: a field's label, with its requirement; a file or a label as it is."""
    if where.startswith("$"):
        return _field(where)
    if not KEY.fullmatch(where):
        return where
    named = {
        "role": tr("Your role"),
        "passphrase": tr("Passphrase"),
        "identity": tr("Your signature file"),
        "certificate": tr("Certificate"),
        "verdict": tr("Your verdict"),
        "reason": tr("Reason"),
        "pdf": tr("PDF"),
    }
    return named.get(where, where.replace("_", " ").replace("-", " ").capitalize())


def _field(where: str) -> str:
    """Return the label of a field of a decision, with its requirement; nothing where it is no field of one."""
    try:
        steps = edits.steps("$" + where.removeprefix("$.decision").removeprefix("$"))
    except DPWizardError:
        return ""
    if not steps or steps[0] not in Decision.model_fields:
        return ""
    owner = ""
    if steps[0] == "requirements" and len(steps) > 1:
        owner = word("edition", "requirement").format(number=int(steps[1]) + 1)
    if owner and len(steps) == 2:
        return owner
    field = field_label((Decision,), "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps))
    return tr("{group}: {what}", group=owner, what=field) if owner else field
