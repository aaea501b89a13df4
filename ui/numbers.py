"""Numbers as an officer types and reads them, in the language of the window: 0.25 in English, 0,25 in German.

What could mean two numbers is none: where the comma is the decimal sign, 1.000 may be a thousand or one, and the field
asks which. Nothing here checks a range; the model does.
"""

from __future__ import annotations

import math
import re

from dpwizard.explain import wording
from ui.words import tr

SPACES = "  \u202f\u2009"  # ordinary, no-break, narrow no-break and thin: all stand between thousands
PLAIN = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
SPACED = re.compile(rf"([+-]?\d{{1,3}})((?:[{SPACES}]\d{{3}})+)(?!\d)")


def parsed(text: str) -> float | None:
    """Return the number TEXT says; None if it says none, or could mean two."""
    found = _read(text)
    return found[0] if len(found) == 1 else None


def doubt(text: str) -> str:
    """Return, of a TEXT that could mean two numbers, how to say which; an empty text of any other."""
    found = _read(text)
    if len(found) < 2:
        return ""
    low, high = (written(number) for number in sorted(found))
    return tr("“{text}” can mean two numbers. Write {low} or {high}.", text=text.strip(), low=low, high=high)


def written(number: float) -> str:
    """Return NUMBER in the language of the window, as short as it is exact to fifteen digits, without marks between thousands."""
    return f"{number:.15g}".replace(".", wording()["number"]["decimal"])


def _read(text: str) -> tuple[float, ...]:
    """Return every number that TEXT can mean, each once."""
    plain = SPACED.sub(lambda found: found[1] + re.sub(f"[{SPACES}]", "", found[2]), text.strip().replace("−", "-"))
    comma = wording()["number"]["decimal"] == ","
    decimal, thousands = (",", ".") if comma else (".", ",")
    readings = []
    if _grouped(plain, thousands, decimal):
        readings.append(plain.replace(thousands, "").replace(decimal, "."))
    elif thousands not in plain:
        readings.append(plain.replace(decimal, "."))
    if comma and "," not in plain and plain.count(".") == 1:
        readings.append(plain)  # a point is read as the decimal sign, too
    numbers = (float(one) for one in dict.fromkeys(readings) if PLAIN.fullmatch(one))
    return tuple(dict.fromkeys(number for number in numbers if math.isfinite(number)))


def _grouped(text: str, thousands: str, decimal: str) -> bool:
    """Return whether the THOUSANDS mark stands in TEXT, and every time where one belongs."""
    mark, sign = re.escape(thousands), re.escape(decimal)
    return re.fullmatch(rf"[+-]?[1-9]\d{{0,2}}(?:{mark}\d{{3}})+(?:{sign}\d*)?", text) is not None
