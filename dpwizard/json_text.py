"""JSON read strictly and written one way only: no duplicate keys, no NaN, sorted keys, UTF-8."""

from __future__ import annotations

import json
import re
from typing import Any

from dpwizard.errors import InvalidInput
from dpwizard.fields import plain

LONGEST_NUMBER = 400  # digits; more is no number anybody means
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def parse(text: str | bytes, where: str = "$") -> Any:
    """Return what TEXT, one JSON document, says; NaN and infinities are passed on for the reader to refuse by name.

    Raises InvalidInput with line and column for text that is not JSON, repeats a key in an object, is nested
    too deeply or holds half a character.
    """
    try:
        decoded = text.decode("utf-8-sig") if isinstance(text, bytes) else text
        raw = json.loads(decoded, object_pairs_hook=_pairs, parse_int=_integer)
        if _SURROGATE.search(decoded):
            json.dumps(raw, ensure_ascii=False).encode("utf-8")
    except json.JSONDecodeError as problem:
        raise InvalidInput(
            f"is not JSON: {problem.msg} at line {problem.lineno}, column {problem.colno}", where, "Correct the text there."
        ) from None
    except UnicodeError:
        raise InvalidInput("is not valid UTF-8 text", where, "Save it as UTF-8.") from None
    except RecursionError:
        raise InvalidInput("is nested too deeply", where, "No decision needs more than 20 levels.") from None
    return raw


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise InvalidInput(f'the key "{twice[:60]}" stands twice in one object', "$", "Keep one of the two.")
    return result


def _integer(digits: str) -> int | float:
    if len(digits) > LONGEST_NUMBER:
        raise InvalidInput(f"holds a number of {len(digits)} digits", "$", "Enter fewer digits.")
    return int(digits)


def line(value: Any) -> str:
    """Return VALUE as JSON on one line, keys in the order of their declaration."""
    return json.dumps(plain(value), ensure_ascii=False, allow_nan=False, separators=(", ", ": "))


def document(value: Any) -> bytes:
    """Return VALUE as the bytes of a JSON file: UTF-8, indented, sorted keys, a newline at the end."""
    return (json.dumps(plain(value), ensure_ascii=False, allow_nan=False, indent=2, sort_keys=True) + "\n").encode("utf-8")
