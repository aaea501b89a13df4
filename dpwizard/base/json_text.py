"""JSON, read strictly and written canonically: no duplicate keys, no NaN, sorted keys, UTF-8."""

from __future__ import annotations

import json
import re
from collections import Counter
from types import NoneType
from typing import Any

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message
from dpwizard.base.values import plain

MOST_BRACKETS = 500_000  # those in texts included; the largest possible decision has 200,000
MOST_COMMAS = 5_000_000  # a thousand surfaces of 64 by 64 have 4,100,000
MOST_KEYS = 5_000  # of one object; a histogram has 2,000
LONGEST_NUMBER = 700  # digits
_IN_A_ROW = (float, int, NoneType)  # not bool
_SPELLER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def parse(text: str | bytes) -> Any:
    """Return the content of TEXT, one JSON document; NaN and infinities are kept, for the reader to refuse by field.

    Raises InvalidInput, with line and column where possible, for text that is not JSON, repeats a key in an object, is
    nested too deeply or contains half a surrogate pair.
    """
    try:
        decoded = text.decode("utf-8-sig") if isinstance(text, bytes) else text
        # checked before parsing: values take a hundred times as much memory as the file
        if decoded.count("{") + decoded.count("[") > MOST_BRACKETS or decoded.count(",") > MOST_COMMAS:
            raise InvalidInput("contains more values than a decision can have", "$", "Check that it is the right file.")
        raw = json.loads(decoded, object_pairs_hook=_pairs, parse_int=_integer)
        if _SURROGATE.search(decoded):
            json.dumps(raw, ensure_ascii=False).encode("utf-8")
    except json.JSONDecodeError as problem:
        place = {"reason": problem.msg, "line": problem.lineno, "column": problem.colno}
        why = message("is not JSON: {reason} at line {line}, column {column}", **place)
        raise InvalidInput(why, "$", "Correct the text there.") from None
    except UnicodeError:
        raise InvalidInput("is not valid UTF-8 text", "$", "Save it as UTF-8.") from None
    except RecursionError:
        raise InvalidInput("is nested too deeply", "$", "No decision needs more than 20 levels.") from None
    return raw


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        twice = next(name for name, count in counts.items() if count > 1)
        raise InvalidInput('the key "{key}" is given twice in one object', "$", "Keep one of the two.", key=twice[:60])
    if len(result) > MOST_KEYS:
        raise InvalidInput(
            "contains an object of {count} keys", "$", "Check that it is the right file.", count=len(result)
        )
    return result


def _integer(digits: str) -> int | float:
    if len(digits) > LONGEST_NUMBER:
        raise InvalidInput("contains a number of {count} digits", "$", "Enter fewer digits.", count=len(digits))
    return int(digits)


def line(value: Any) -> str:
    """Return VALUE as JSON on one line, keys in their order of declaration."""
    return json.dumps(plain(value), ensure_ascii=False, allow_nan=False, separators=(", ", ": "))


def document(value: Any) -> bytes:
    """Return VALUE as the bytes of a JSON file: UTF-8, indented, sorted keys, a newline at the end.

    A list of numbers stands on one line.
    """
    return f"{_spelled(plain(value))}\n".encode()


def _spelled(value: Any, margin: str = "\n") -> str:
    inner = f"{margin}  "
    if isinstance(value, dict) and value:
        pairs = (f"{_SPELLER.encode(name)}: {_spelled(value[name], inner)}" for name in sorted(value))
        return f"{{{inner}{f',{inner}'.join(pairs)}{margin}}}"
    if isinstance(value, list) and not all(type(each) in _IN_A_ROW for each in value):
        return f"[{inner}{f',{inner}'.join(_spelled(each, inner) for each in value)}{margin}]"
    return repr(value) if type(value) in (float, int) else _SPELLER.encode(value)  # NaN is refused by `plain`
