"""The public edition of a record: the same decision without what the officer marked, which it names.

Texts are taken out wherever they are quoted. Of a requirement whose numbers are marked all that could tell them is
left out as well: its other numbers, its answer, the ends of the window, and what moves epsilon. Of the release, all
that comes out otherwise without what is marked: the answers that read it, what they leave, every total
(`withheld_numbers`).
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from dpwizard.decision import Decision, Details, Release, Risk, admitted, edits, read_decision, written
from dpwizard.errors import InvalidInput
from dpwizard.language import phrase, speaking
from dpwizard.messages import message
from dpwizard.records import withheld_numbers
from dpwizard.records.record import DOCUMENT, PUBLIC, read_record
from dpwizard.records.withheld_numbers import OF_REQUIREMENT
from dpwizard.records.withheld_texts import SHORTEST, first_quoted, replaced
from dpwizard.values import Value, plain
from dpwizard.wording import word

OF_DECISION = ("justification", "exception_reason", "acknowledged", "elicitation")
OF_RELEASE = (
    *("description", "unit", "derivation", "published_elsewhere"),
    *("population", "sampling_fraction", "sample_secret", "spent", "parts"),
)
KEPT_OF_ANSWER = ("kind", "name", "enabled", "side", "status", "grounds", "source")


def check_withheld(decision: Decision, where: str = "$.withheld") -> None:
    """Raise InvalidInput where DECISION marks for leaving out no field of its own, or what must be told."""
    for index, path in enumerate(decision.withheld):
        try:
            steps = edits.steps(path)
        except InvalidInput:
            steps = ()
        if not steps or not _may_be_left_out(steps):
            raise InvalidInput(
                message('"{path}" cannot be left out of a public edition', path=path[:80]),
                f"{where}[{index}]",
                "Mark texts, particulars or whole requirements; release, noise, epsilon and outcome are what the "
                "public is told.",
            )
        if not _is_there(decision, steps):
            raise InvalidInput(
                message('"{path}" is no field of this decision', path=path[:80]),
                f"{where}[{index}]",
                "Check the path; positions count from 0.",
            )
        if _finds_shares(decision, steps):
            raise InvalidInput(
                message('"{path}" cannot be left out: the shares of the tables follow from it', path=path[:80]),
                f"{where}[{index}]",
                "State the shares of the tables, or leave it in.",
            )
        if _admits(decision, steps):
            raise InvalidInput(
                message('"{path}" cannot be left out: it says what no budget covers', path=path[:80]),
                f"{where}[{index}]",
                "Leave it in: the people in the data are told.",
            )


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
class Markable:
    """Something a public edition may leave out: its path, its name, and the requirement it belongs to, if any."""

    where: str
    label: str
    requirement: int | None = None


def markable(decision: Decision) -> tuple[Markable, ...]:
    """Return what may be marked in DECISION: all that is filled in and may be left out, and what is marked."""
    found = [f"$.{name}" for name in OF_DECISION if getattr(decision, name)]
    found += [
        f"$.release.{name}"
        for name in OF_RELEASE
        if name != "parts" and getattr(decision.release, name) not in (None, ())
    ]
    filled = [name for name in Details.model_fields if getattr(decision.details, name) not in (None, ())]
    found += [f"$.details.{name}" for name in filled if not _admits(decision, ("details", name))]
    for index, requirement in enumerate(decision.requirements):
        found += [f"$.requirements[{index}].{name}" for name in ("name", "off_reason") if getattr(requirement, name)]
        if not _finds_shares(decision, ("requirements", index)):
            found.append(f"$.requirements[{index}]")
    rest = [where for where in decision.withheld if where not in found and _is_there(decision, edits.steps(where))]
    made = []
    for where in (*found, *rest):
        steps = edits.steps(where)
        owner = int(steps[1]) if steps[0] == "requirements" else None
        made.append(Markable(where=where, label=label(decision, where), requirement=owner))
    return tuple(made)


def _may_be_left_out(steps: tuple[edits.Step, ...]) -> bool:
    first = steps[0]
    if first == "details":
        return len(steps) == 2 or (len(steps) in (3, 4) and steps[1] == "risks")
    if first == "release":
        part_name = steps[1:2] == ("parts",) and len(steps) == 4 and steps[3] == "name"
        return (len(steps) == 2 and steps[1] in OF_RELEASE and steps[1] != "parts") or part_name
    if first == "requirements":
        named = len(steps) == 2 or (len(steps) == 3 and steps[2] not in ("kind", "enabled"))
        return named and isinstance(steps[1], int)
    return first in OF_DECISION and len(steps) == 1


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


def public_record(raw: Any, internal_sha256: str, withheld: Iterable[str] | None = None) -> dict[str, Any]:
    """Return the public edition of the internal record RAW, whose JSON file has the hash INTERNAL_SHA256.

    The hash tells nothing of what is left out, because the internal record holds a salt and the public one does not.
    Arguments: withheld, the paths to leave out (None: those the decision marks). Raises InvalidInput where RAW is
    no internal record, or has no salt and something is left out; where a path cannot be left out; and where a text
    left out would still be found.
    """
    internal = read_record(raw)
    if internal.get("edition", "internal") != "internal":
        raise InvalidInput("is a public edition already", "$.edition", "Give the internal record.")
    decision = read_decision(internal["decision"], "$.decision")
    if withheld is not None:
        decision = edits.put(decision, "$.withheld", tuple(withheld))
    check_withheld(decision)
    paths = tuple(dict.fromkeys(decision.withheld))
    made: dict[str, Any] = copy.deepcopy(plain(internal))
    made |= {"document": DOCUMENT, "edition": PUBLIC, "internal_sha256": internal_sha256, "decision": written(decision)}
    made["decision"].pop("withheld", None)
    if made.pop("salt", None) is None and paths:
        raise InvalidInput(
            "has no salt, as it was made by an older version: what is left out could be guessed by its hash",
            "$.salt",
            "Make and sign the internal record anew.",
        )
    removed: list[str] = []
    found = withheld_numbers.what_follows(decision, paths)
    paths = (*paths, *found.also)
    hidden = _hidden(paths)
    if hidden and decision.elicitation:
        paths = tuple(dict.fromkeys((*paths, "$.elicitation")))  # the questions answered tell the profile they led to
    told = withheld_numbers.Told()
    for path in sorted(paths, key=len):
        taken = _take_out(made["decision"], edits.steps(path))
        told.itself(taken)
        removed += _typed(edits.steps(path), taken)
    told.follows(made, hidden | found.answers, spent="$.release.spent" in paths)
    with speaking(decision.language):
        _leave_out_names(made, paths)
        if hidden | found.answers:
            _leave_out_answers(made, hidden | found.answers)
        if found.window and not made["assessment"]["window"].get("withheld"):
            _leave_out_window(made)
        for index in found.meaning:
            made["sentences"]["meaning"][index] = word("edition", "would_tell")
    if "influence" in made:
        made["influence"]["rows"] = [row for row in made["influence"]["rows"] if not row["where"].startswith(paths)]
    if "$.release.spent" in paths:
        made["accounting"] |= {"spent_before": None, "epsilon_in_all": None}
        made["accounting"].pop("delta_spent_before", None)
    with speaking(decision.language):
        _take_out_texts(
            made, tuple(dict.fromkeys(text.strip() for text in removed if text.strip())), told.of(made["decision"])
        )
    read_decision(made["decision"], "$.decision")  # what is left can still be opened
    with speaking(decision.language):  # the bytes of a record do not depend on who makes it
        made["left_out"] = [{"where": path, "what": label(decision, path)} for path in paths]
    return made


def require_not_told(made: dict[str, Any], internal: Any, told: str) -> None:
    """Raise InvalidInput where TOLD (a signer's certificate or comment) holds a text that MADE leaves out."""
    decision = written(read_decision(read_record(internal)["decision"], "$.decision"))
    for item in made["left_out"]:
        steps = edits.steps(item["where"])
        texts = _typed(steps, _take_out(copy.deepcopy(decision), steps))
        if first_quoted((text for text in texts if len(text.strip()) >= SHORTEST), told) is not None:
            raise InvalidInput(
                message(
                    "what is left out at {where} stands in the signer's certificate or comment", where=item["where"]
                ),
                "identity",
                "Let somebody else sign the public edition, reword the comment, or do not mark it.",
            )


# --------------------------------------------------------------------------- what is taken out of the decision


def _take_out(decision: dict[str, Any], steps: tuple[edits.Step, ...]) -> Any:
    """Take what stands at STEPS out of a decision as JSON says it, and return it; a list keeps its length."""
    here: Any = decision
    for step in steps[:-1]:
        if isinstance(here, dict):
            here = here.get(step)
        else:
            here = here[step] if isinstance(step, int) and step < len(here) else None
        if here is None:
            return None
    last = steps[-1]
    if isinstance(last, int):
        if last >= len(here):
            return None
        found, here[last] = here[last], {name: here[last][name] for name in ("kind", "enabled") if name in here[last]}
        return found
    if steps[0] == "requirements" and last not in OF_REQUIREMENT:
        found = {name: value for name, value in here.items() if name not in ("kind", "enabled", *OF_REQUIREMENT)}
        for name in found:
            del here[name]
        return found
    if steps[:2] == ("release", "parts"):
        return here.get(last)  # a part needs a name: the text is replaced wherever it stands
    return here.pop(last, None)


def _typed(steps: tuple[edits.Step, ...], found: Any) -> list[str]:
    """Return the texts in FOUND, which stood at STEPS: of a choice none, whose word stands elsewhere for itself."""
    return [] if steps[-1] in CHOSEN else _texts(found)


def _texts(found: Any) -> list[str]:
    """Return every text that an officer may have typed within what was taken out."""
    if isinstance(found, str):
        return [found]
    if isinstance(found, dict):
        return [text for name, item in found.items() if name not in ENUMERATED for text in _texts(item)]
    return [text for item in found for text in _texts(item)] if isinstance(found, list) else []


# choices of what reviewers ask: their words are those of the program, and common ones
CHOSEN = ("paper", "trust_model", "domain_source", "tuned_on", "floating_point", "randomness", "role", "sees")
ENUMERATED = (  # fields whose texts nobody typed
    *CHOSEN,
    *("kind", "shape", "family", "adversary", "origin", "language", "assumption", "composition", "combine"),
    "statement",
    *("direction", "bound", "score", "model", "side", "axis", "neighbours", "truth", "product_type", "sector"),
    *("field", "form", "logo"),
)


# ------------------------------------------------------------------------------ what follows from it, left out


def _hidden(paths: tuple[str, ...]) -> frozenset[int]:
    """Return the positions of the requirements whose numbers PATHS mark."""
    marked = [edits.steps(path) for path in paths]
    return frozenset(
        int(s[1]) for s in marked if s[0] == "requirements" and (len(s) == 2 or s[2] not in OF_REQUIREMENT)
    )


def _leave_out_answers(made: dict[str, Any], hidden: frozenset[int]) -> None:
    """Leave out whatever could tell the numbers of the requirements at the positions HIDDEN.

    The ends of the window tell nothing of a requirement that binds neither; what moves them may.
    """
    answers, said = made["assessment"]["answers"], made["sentences"]["answers"]
    for index in hidden:
        kept = {name: answers[index].get(name) for name in KEPT_OF_ANSWER}
        gone: dict[str, Any] = dict.fromkeys(("attained", "unique", "as_published", "met"))
        gone |= {name: None for name in ("epsilon", "rho", "mu") if name in answers[index]}
        gone |= {"error": 0.0, "binding": {}, "at_epsilon": {}, "assumptions": []}
        answers[index] = {**kept, **gone, "withheld": True, "why": {"key": "withheld", "with": {}}}
        title, bound = said[index].get("title", ""), word("edition", "left_out")
        said[index] = {"title": title, "bound": bound, "why": "", "at_epsilon": ""}
    found = made["assessment"]["window"]
    if hidden & {found.get("binds_lower"), found.get("binds_upper"), *found.get("conflict", ())}:
        _leave_out_window(made)
    made["assessment"]["problems"] = []
    made["sentences"]["broken"] = []
    made.pop("influence", None)


def leave_out_again(made: dict[str, Any], public: dict[str, Any]) -> None:
    """Leave out of MADE, the decision of the edition PUBLIC solved again, what that edition says it leaves out."""
    claims = public["assessment"].get("answers") or ()
    hidden = {i for i, answer in enumerate(claims) if isinstance(answer, dict) and answer.get("withheld")}
    window = public["assessment"].get("window")
    if hidden:
        _leave_out_answers(made, frozenset(hidden) & frozenset(range(len(made["assessment"]["answers"]))))
    if hidden or (isinstance(window, dict) and window.get("withheld")):
        _leave_out_window(made)
    left_out = tuple(str(item.get("where")) for item in public.get("left_out", ()) if isinstance(item, dict))
    if "influence" in made:
        made["influence"]["rows"] = [row for row in made["influence"]["rows"] if not row["where"].startswith(left_out)]
    if "$.release.spent" in left_out:
        made["accounting"] |= {"spent_before": None, "epsilon_in_all": None}


def _leave_out_window(made: dict[str, Any]) -> None:
    window = made["assessment"]["window"]
    ends: dict[str, Any] = {"binds_lower": None, "binds_upper": None}
    ends |= {"lower": 0.0, "upper": None} if "upper" in window else {}
    ends |= {name: {"lower": 0.0, "upper": None} for name in ("rho", "mu") if name in window}
    ends |= {"touching": False, "conflict": [], "withheld": True}
    made["assessment"]["window"] = {**window, **ends}
    made["sentences"]["window"] = ""
    if "window" in made["accounting"]:
        made["accounting"]["window"] = made["assessment"]["window"]


def _leave_out_names(made: dict[str, Any], paths: tuple[str, ...]) -> None:
    answers, said = made["assessment"]["answers"], made["sentences"]["answers"]
    for path in paths:
        steps = edits.steps(path)
        if steps[0] == "requirements" and (len(steps) == 2 or steps[2] == "name"):
            index = int(steps[1])
            if answers[index].get("name"):
                answers[index]["name"] = None
                said[index]["title"] = word("edition", "requirement").format(number=index + 1)


# --------------------------------------------------------------------------------------- texts, wherever quoted


def _take_out_texts(made: dict[str, Any], removed: tuple[str, ...], numbers: withheld_numbers.Numbers) -> None:
    """Replace each text in REMOVED, wherever it is quoted, by a mark, and each of NUMBERS wherever it was typed.

    Raises InvalidInput where a text would still be found.
    """
    mark_of = word("edition", "withheld")
    longest_first = sorted(removed, key=len, reverse=True)
    marks = {text: mark_of.format(number=number) for number, text in enumerate(longest_first, 1)}
    clean = partial(replaced, marks=marks)

    def typed_clean(text: str) -> str:
        return numbers.masked(clean(text), word("edition", "withheld_number"))

    typed = made["decision"]
    for name in ("title", "justification", "exception_reason", "details", "acknowledged", "elicitation", "letterhead"):
        if name in typed:
            typed[name] = _each_text(typed[name], typed_clean)
    for name in ("description", "unit", "derivation", "published_elsewhere", "spent"):
        if name in typed.get("release", {}):
            typed["release"][name] = _each_text(typed["release"][name], typed_clean)
    for part in typed.get("release", {}).get("parts", ()):
        part |= {name: _each_text(part[name], clean) for name in ("name", "disjoint_with") if name in part}
    for requirement in typed.get("requirements", ()):
        for name in (*OF_REQUIREMENT, "part"):
            if name in requirement:
                requirement[name] = _each_text(requirement[name], clean)
    made["sentences"] = {
        name: item if name == "language" else _each_text(item, clean) for name, item in made["sentences"].items()
    }
    for answer in made["assessment"]["answers"]:
        for name in ("name", "why", "binding", "at_epsilon"):
            if name in answer:
                answer[name] = _each_text(answer[name], clean)
    for problem in made["assessment"].get("problems", ()):
        problem["with"] = _each_text(problem.get("with", {}), clean)
    for row in made["implementation"]:
        row["part"] = _each_text(row.get("part"), clean)
    _require_absent(made, tuple(text for text in removed if len(text) > 2 * SHORTEST))


def _each_text(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {name: item if name in ENUMERATED else _each_text(item, change) for name, item in value.items()}
    return [_each_text(item, change) for item in value] if isinstance(value, list) else value


def _require_absent(made: dict[str, Any], removed: tuple[str, ...]) -> None:
    text = first_quoted(removed, made)
    if text is not None:
        raise InvalidInput(
            message(
                "the text beginning {text} is left out, but also stands where it cannot be taken out",
                text=repr(text[:20]),
            ),
            "$.withheld",
            "Reword it.",
        )


def label(decision: Decision, path: str) -> str:
    """Return what stands at PATH in the words of its declaration, without any text that is left out."""
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
