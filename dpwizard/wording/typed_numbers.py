"""Every number that a text can mean, where the decimal sign is a point or a comma: 1.000 may be a thousand, or one."""

from __future__ import annotations

import math
import re
from decimal import Decimal

SPACES = " \u00a0\u202f\u2009"  # ordinary, no-break, narrow no-break and thin: all stand between thousands
PLAIN = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
SPACED = re.compile(rf"([+-]?\d{{1,3}})((?:[{SPACES}]\d{{3}})+)(?!\d)", re.ASCII)
LONGEST = 400  # characters of a number; nobody types more, and none is needed to say one exactly
LONGEST_POWER = 400  # of ten, of a number that is read to its last digit


def readings(text: str, decimal: str, *, strict: bool = False) -> tuple[float, ...]:
    """Return every finite number that TEXT can mean, each once.

    Arguments: text; decimal, the decimal sign, "." or ","; strict, whether the point is never a decimal sign where the
    comma is. Otherwise 0.5 is read beside 0,5, and 1.000 has two readings.
    """
    numbers = map(float, _spelled(text, decimal, strict))
    return tuple(dict.fromkeys(number for number in numbers if math.isfinite(number)))


def exact_readings(text: str, decimal: str, *, strict: bool = False) -> tuple[Decimal, ...]:
    """Return every number that TEXT can mean, to its last digit; one with a longer power of ten is none."""
    powers = {number: abs(int(number.lower().partition("e")[2] or 0)) for number in _spelled(text, decimal, strict)}
    return tuple(dict.fromkeys(Decimal(number) for number, power in powers.items() if power <= LONGEST_POWER))


def _spelled(text: str, decimal: str, strict: bool) -> tuple[str, ...]:
    """Return TEXT as each number that it can mean is written with a point."""
    if len(text) > LONGEST:
        return ()
    plain = SPACED.sub(lambda match: match[1] + re.sub(f"[{SPACES}]", "", match[2]), text.strip().replace("−", "-"))
    thousands = "." if decimal == "," else ","
    spellings = []
    if _grouped(plain, thousands, decimal):
        spellings.append(plain.replace(thousands, "").replace(decimal, "."))
    elif thousands not in plain:
        spellings.append(plain.replace(decimal, "."))
    if decimal == "," and not strict and "," not in plain and plain.count(".") == 1:
        spellings.append(plain)  # a point is read as the decimal sign, too
    return tuple(one for one in dict.fromkeys(spellings) if PLAIN.fullmatch(one))


def _grouped(text: str, thousands: str, decimal: str) -> bool:
    """Return whether the THOUSANDS mark stands in TEXT, and every time where one belongs."""
    mark, sign = re.escape(thousands), re.escape(decimal)
    return re.fullmatch(rf"[+-]?[1-9]\d{{0,2}}(?:{mark}\d{{3}})+(?:{sign}\d*)?", text, re.ASCII) is not None
