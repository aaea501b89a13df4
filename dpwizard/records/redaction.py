"""The public version of a record: a smaller decision, solved and typeset as any other.

It is built from lists of what may be public, without what the officer marked. Nothing is searched for and cut out: what
is left out is not there when the smaller decision is solved, so nothing that is printed can follow from it.
"""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from dpwizard.base import json_text
from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import Message, message
from dpwizard.base.values import Value
from dpwizard.decision import Decision, admitted, assumptions, derived_fields, edits, read_decision, to_json

# what may be public. A field that is named in neither list of its block fails a test: whoever adds one decides.
OF_DECISION = (
    *("format", "title", "release", "requirements", "epsilon", "rho", "axis", "justification", "exception_reason"),
    *("outcome", "acknowledged", "details", "language", "paper", "letterhead"),
)
NOT_OF_DECISION = ("elicitation", "withheld")  # an assessor's answers, word for word; what is marked
OF_RELEASE = (
    *("statistic", "sensitivity", "sensitivity_other", "effects", "reads", "step", "dimension", "mechanism"),
    *("description", "neighbours", "derivation", "delta", "allocation", "levels", "at_most_years", "in_periods"),
    *("repetitions",),
    *("unit", "unit_kind", "slice", "slices_per_person", "cap", "distinct_cells", "contributions", "population"),
    *("sampling_fraction", "sample_secret", "published_elsewhere", "exact_figures", "trust_model", "post_processing"),
    *("spent", "priors_from", "adding_up", "totals", "parts", "divisions", "person_word", "reveals", "totals_printed"),
    *("each_number", "lowest", "highest", "how_often", "data"),
)
NOT_OF_RELEASE: tuple[str, ...] = ()
OF_DETAILS = (
    *("controller", "contact", "product", "curators", "intended_use", "product_type", "sector", "region"),
    *("publication_date", "record_number", "authors", "approver", "necessity", "alternatives", "attributes"),
    *("residual_risks", "risks", "advice", "views", "conditions", "review_date", "review_triggers", "authority"),
    *("approval_number", "supersedes", "superseded_sha256", "version", "actors", "collection", "data_domain"),
    *("domain_source", "tuned_on", "tuning", "implementation", "floating_point", "randomness", "checked", "access"),
    *("security", "small_groups", "groups"),
)
NOT_OF_DETAILS: tuple[str, ...] = ()
NAMES_OF_EARLIER = ("record", "sha256", "table", "date")  # what a marked list of earlier releases loses; losses stay
MARKABLE_OF_DECISION = ("justification", "exception_reason", "acknowledged")
MARKABLE_OF_RELEASE = (
    *("description", "unit", "derivation", "published_elsewhere"),
    *("population", "sampling_fraction", "sample_secret", "spent"),
)
TEXTS_OF_REQUIREMENT = ("name", "off_reason", "origins", "group", "sensitive_set")  # what no number follows from


def check_withheld(decision: Decision) -> None:
    """Raise InvalidInput where DECISION marks for leaving out no field of its own, or what must be told."""
    for index, path in enumerate(decision.withheld):
        if refused := _why_not(decision, path):
            raise InvalidInput(refused[0], f"$.withheld[{index}]", refused[1])


def _why_not(decision: Decision, path: str) -> tuple[Message, str] | None:
    """Return why PATH cannot be left out, and what to do; None where it can."""
    shown = path[:80]
    try:
        steps = edits.steps(path)
    except InvalidInput:
        steps = ()
    if not steps or not _may_be_left_out(steps):
        return message('"{path}" cannot be left out of a public version', path=shown), (
            "Mark texts, details or whole requirements. Release, noise, epsilon and outcome are always public."
        )
    if not _is_there(decision, steps):
        why = message('"{path}" is not a field of this decision', path=shown)
        return why, "Check the path; positions count from 0."
    if _finds_shares(decision, steps):
        why = message('"{path}" cannot be left out: the shares of the tables follow from it', path=shown)
        return why, "State the shares of the tables, or leave it in."
    if _admits(decision, steps):
        why = message('"{path}" cannot be left out: it states what no budget covers', path=shown)
        return why, "Leave it in: the people in the data must be informed."
    return None


def _admits(decision: Decision, steps: tuple[edits.Step, ...]) -> bool:
    """Return whether what stands at STEPS admits something that no budget covers."""
    if steps[0] != "details" or len(steps) != 2:
        return False
    without = decision.details.model_copy(update={str(steps[1]): None})
    return admitted(decision.model_copy(update={"details": without})) != admitted(decision)


def _finds_shares(decision: Decision, steps: tuple[edits.Step, ...]) -> bool:
    """Return whether what stands at STEPS shares out the budget: without it nobody could check the noise."""
    if decision.release.allocation != "needs" or steps[0] != "requirements" or len(steps) < 2:
        return False
    need = decision.requirements[int(steps[1])]
    return need.enabled and need.end == "lower" and (len(steps) == 2 or steps[2] not in ("name", "off_reason"))


@dataclass(frozen=True, kw_only=True)
class Redactable:
    """Something a public version may leave out: its path, and the requirement it belongs to, if any."""

    where: str
    requirement: int | None = None


def markable(decision: Decision) -> tuple[Redactable, ...]:
    """Return what may be marked in DECISION: all that is filled in and may be left out, and what is marked."""
    marked = [f"$.{name}" for name in MARKABLE_OF_DECISION if getattr(decision, name)]
    marked += [f"$.release.{name}" for name in MARKABLE_OF_RELEASE if getattr(decision.release, name) not in (None, ())]
    filled = [name for name in OF_DETAILS if getattr(decision.details, name) not in (None, ())]
    marked += [f"$.details.{name}" for name in filled if not _admits(decision, ("details", name))]
    for index, requirement in enumerate(decision.requirements):
        marked += [f"$.requirements[{index}].{name}" for name in ("name", "off_reason") if getattr(requirement, name)]
        if not _finds_shares(decision, ("requirements", index)):
            marked.append(f"$.requirements[{index}]")
    rest = [where for where in decision.withheld if where not in marked and _is_there(decision, edits.steps(where))]
    redactable = []
    for where in (*marked, *rest):
        steps = edits.steps(where)
        redactable.append(Redactable(where=where, requirement=int(steps[1]) if steps[0] == "requirements" else None))
    return tuple(redactable)


def _may_be_left_out(steps: tuple[edits.Step, ...]) -> bool:
    first = steps[0]
    if first == "details":
        return len(steps) == 2 or (len(steps) in (3, 4) and steps[1] == "risks")
    if first == "release":
        return len(steps) == 2 and steps[1] in MARKABLE_OF_RELEASE
    if first == "requirements":
        named = len(steps) == 2 or (len(steps) == 3 and steps[2] not in ("kind", "enabled"))
        return named and isinstance(steps[1], int)
    return first in (*MARKABLE_OF_DECISION, "elicitation") and len(steps) == 1


def _is_there(decision: Decision, steps: tuple[edits.Step, ...]) -> bool:
    here: Any = decision
    for step in steps:
        if isinstance(step, int):
            if not isinstance(here, tuple) or step >= len(here):
                return False
            here = here[step]
        elif isinstance(here, Value) and step in type(here).model_fields:
            here = getattr(here, step)
        else:
            return False
    return True


def kept_requirements(decision: Decision, withheld: Iterable[str] | None = None) -> tuple[int, ...]:
    """Return the positions of the requirements of DECISION that its public version is made from.

    WITHHELD are the paths to leave out (None: those the decision marks). One whose numbers are marked is left out.
    """
    left_out = set()
    for path in decision.withheld if withheld is None else withheld:
        steps = edits.steps(path)
        if steps[0] == "requirements" and (len(steps) == 2 or steps[2] not in TEXTS_OF_REQUIREMENT):
            left_out.add(steps[1])
    return tuple(index for index in range(len(decision.requirements)) if index not in left_out)


def public_decision(decision: Decision, withheld: Iterable[str] | None = None) -> Decision:
    """Return the decision that the public version of a record of DECISION records: without what is WITHHELD.

    WITHHELD are the paths to leave out (None: those the decision marks). Raises InvalidInput where one cannot be left
    out.
    """
    marked = decision if withheld is None else edits.put(decision, "$.withheld", tuple(withheld))
    check_withheld(marked)
    whole: dict[str, Any] = copy.deepcopy(to_json(decision.as_recorded()))
    public = {name: whole[name] for name in OF_DECISION if name in whole}
    for block, names in (("release", OF_RELEASE), ("details", OF_DETAILS)):
        if block in public:
            public[block] = {name: public[block][name] for name in names if name in public[block]}
    kept = kept_requirements(marked)
    places = {_place(edits.steps(path)) for path in marked.withheld}
    for steps in sorted(places, reverse=True):  # the last of a list first, so that positions hold
        _take_out(public, steps)
    if "requirements" in public:
        public["requirements"] = [public["requirements"][index] for index in kept]
    smaller = read_decision(public, "$.decision")
    plainly = (derived_fields.COUNTS_ONCE, derived_fields.NOTHING_ELSE, derived_fields.WHOLE_AMOUNTS)
    asked = {*assumptions(smaller), *plainly}
    acknowledged = tuple(statement for statement in smaller.acknowledged if statement.assumption in asked)
    return smaller.model_copy(update={"acknowledged": acknowledged})


def core(whole: Mapping[str, Any]) -> str:
    """Return the hash of what every edition of a record says of the decision WHOLE, as JSON has it: what is released,
    and with which budget.

    So a record that only calls itself the edition of another is not taken for it.
    """
    release = {name: whole.get("release", {}).get(name) for name in OF_RELEASE if name not in MARKABLE_OF_RELEASE}
    kept = {name: whole.get(name) for name in ("title", "epsilon", "rho", "outcome")} | {"release": release}
    return hashlib.sha256(json_text.line(kept).encode("utf-8")).hexdigest()


def _place(steps: tuple[edits.Step, ...]) -> tuple[edits.Step, ...]:
    """Return where something is taken out for a mark at STEPS: a risk is left out whole."""
    return steps[:3] if steps[:2] == ("details", "risks") else steps


def _take_out(public: dict[str, Any], steps: tuple[edits.Step, ...]) -> None:
    """Take what stands at STEPS out of a decision as JSON says it; whole requirements are taken out elsewhere."""
    if steps[0] == "requirements":
        if len(steps) == 3 and steps[2] in TEXTS_OF_REQUIREMENT:
            public["requirements"][steps[1]].pop(steps[2], None)
    elif steps == ("release", "spent"):
        for earlier in public["release"].get("spent", ()):
            for name in NAMES_OF_EARLIER:
                earlier.pop(name, None)
    elif steps[:2] == ("details", "risks") and len(steps) > 2:
        risks = public["details"].get("risks", [])
        if isinstance(steps[2], int) and steps[2] < len(risks):
            del risks[steps[2]]
    elif len(steps) == 2:
        public.get(str(steps[0]), {}).pop(steps[1], None)
    else:
        public.pop(str(steps[0]), None)
