"""Validation errors in words: the field, the value found, the allowed values."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from pydantic import BaseModel, ValidationError

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import Message, Quantity, message, sentence, verbatim

LONGEST_FOUND = 60
_WRONG = {
    "float_type": "must be a number",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "string_type": "must be text",
    "bool_type": "must be true or false",
    "tuple_type": "must be a list",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
    "dict_type": "must be an object",
    "missing": "is missing",
    "missing_argument": "is missing",
    "missing_keyword_only_argument": "is missing",
    "extra_forbidden": "is not a field here",
    "unexpected_keyword_argument": "is not an argument here",
    "union_tag_not_found": "is missing",
    "recursion_loop": "refers to itself",
    "none_required": "must be null",
    "finite_number": "must be a finite number",
}
_REMEDIES = {  # by the kind of error in `values.refused`
    "range": "Enter a value in that range.",
    "order": "Swap the two numbers.",
    "line": "Enter it on one line, without invisible characters.",
    "picture": "Choose the logo in step 7, which saves only the picture itself, or leave it out.",
}
_COMPARED = (
    ("ge", partial(message, "at least {limit:g}")),
    ("le", partial(message, "at most {limit:g}")),
    ("gt", partial(message, "greater than {limit:g}")),
    ("lt", partial(message, "less than {limit:g}")),
)
_MISSING = frozenset({"missing", "missing_argument", "missing_keyword_only_argument", "union_tag_not_found"})
_UNKNOWN = frozenset({"extra_forbidden", "unexpected_keyword_argument"})


def in_words(problem: ValidationError, raw: Any, where: str, usage: str = "") -> InvalidInput:
    """Return the first error of a pydantic validation; one about an unknown field comes first."""
    details = problem.errors(include_url=False)
    detail = min(details, key=lambda d: (d["type"] not in _UNKNOWN, details.index(d)))
    kind, context = detail["type"], detail.get("ctx", {})
    cause = context.get("error")
    path = where + _path(detail["loc"], raw, kind in _MISSING)
    if kind == "union_tag_invalid" or kind == "union_tag_not_found":
        path += "." + context["discriminator"].strip("'")
    path = path if where else path.lstrip(".")
    if isinstance(cause, InvalidInput):
        return cause.inside(path)
    call = message("Call {usage}.", usage=usage) if usage else ""
    if kind in _MISSING:
        return InvalidInput("is missing", path, call or "Add this field.")
    if kind in _UNKNOWN:
        why, hint = _WRONG[kind], call or "Remove it, or check its spelling against the schema (main.py schema)."
    else:
        why, hint = _allowed(kind, detail)
    if kind != "order":  # for which the user sees both numbers
        value = quoted_value(context["tag"] if kind == "union_tag_invalid" else detail["input"])
        why = message("{message}; found {found}", message=sentence(why), found=value)
    return InvalidInput(why, path, hint)


def _allowed(kind: str, detail: Mapping[str, Any]) -> tuple[str, str]:
    """Return the allowed values, and a remedy."""
    context = detail.get("ctx", {})
    if kind in _REMEDIES:
        return context["why"], _REMEDIES[kind]
    if kind == "union_tag_invalid":
        choices = context["expected_tags"].replace("'", '"')
        return message("must be one of {choices}", choices=choices), "Choose one of these."
    if kind == "literal_error":  # pydantic lists the choices with "or" before the last
        choices, _, last = context["expected"].replace("'", '"').rpartition(" or ")
        several = message("must be {choices} or {last}", choices=choices, last=last)
        return several if choices else message("must be {what}", what=last), "Choose one of these."
    if kind == "too_long":
        most, found = context["max_length"], context["actual_length"]
        return message("must have at most {most} entries, not {found}", most=most, found=found), "Leave some out."
    if kind == "too_short":
        least, found = context["min_length"], context["actual_length"]
        few = message("must have at least {least} entries, not {found}", least=least, found=found)
        return few, "Add what is missing."
    for sign, compared in _COMPARED:
        if sign in context:
            what = compared(limit=Quantity(context[sign]))
            return message("must be {what}", what=what), "Enter a value in that range."
    if kind == "string_too_long":
        return message("must have at most {most} characters", most=context["max_length"]), "Shorten the text."
    if kind == "string_too_short":
        return message("must have at least {least} characters", least=context["min_length"]), "Enter a text."
    if kind in _WRONG:
        return _WRONG[kind], "Enter a value of that type."
    return verbatim(str(context.get("error", detail["msg"]))), "Correct this value."


def _path(location: tuple[int | str, ...], raw: Any, missing: bool) -> str:
    """Return pydantic's location as a path, without the names of union members, which are not in RAW unless MISSING."""
    path, here, second = "", raw, False
    for index, step in enumerate(location):
        inner = _inside(here, step)
        if second:
            second = False
        elif inner:
            path, here = path + _step(here, step), inner[0]
        elif isinstance(here, Mapping) and isinstance(step, int) and step < len(here):
            if location[index + 1 : index + 2] != (1,):
                break
            name, second = tuple(here)[step], True  # a mapping is read as pairs of key and value
            path, here = f"{path}.{name}", here[name]
        elif missing and index == len(location) - 1 and _could_hold(here, step):
            path += _step(here, step)
    return path


def _inside(here: Any, step: int | str) -> tuple[Any, ...]:
    """Return the item at STEP of a value as a tuple, which is empty if there is none."""
    if isinstance(here, tuple):
        return here[step : step + 1] if isinstance(step, int) else ()
    if isinstance(here, Mapping):
        return (here[step],) if step in here else ()
    known = isinstance(here, BaseModel) and isinstance(step, str) and hasattr(here, step)
    return (getattr(here, str(step)),) if known else ()


def _could_hold(here: Any, step: int | str) -> bool:
    """Return whether a value could have a field or an entry at STEP."""
    return isinstance(here, Mapping) or (isinstance(here, tuple) and isinstance(step, int))


def _step(here: Any, step: int | str) -> str:
    return f"[{step}]" if isinstance(here, tuple) else f".{step}"


def quoted_value(raw: Any) -> Message:
    """Return a value as quoted in an error: short, on one line, without Python syntax."""
    if raw is None:
        return verbatim("null")
    if isinstance(raw, bool):
        return verbatim("true" if raw else "false")
    if isinstance(raw, str):
        text = '"' + "".join(c if c.isprintable() else "?" for c in raw[:LONGEST_FOUND]) + '"'
        return verbatim(text if len(raw) <= LONGEST_FOUND else text[:-1] + '..."')
    if isinstance(raw, int) and abs(raw) >= 10**30:
        return message("a very large whole number")
    if isinstance(raw, int | float):
        return Message(f"{Quantity(raw)}", figures={"0": Quantity(raw)})
    if isinstance(raw, tuple | list):
        return message("a list of {count}", count=len(raw))
    return message("an object")
