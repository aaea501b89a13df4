"""Numbers as an officer types and reads them, in the language of the window: 0.25 in English, 0,25 in German.

What could mean two numbers is none: where the comma is the decimal sign, 1.000 may be a thousand or one, and the field
asks which. A chance may be typed as people write it: 5 %, 5 in 100, 1/20. Nothing here checks a range; the model does.
"""

from __future__ import annotations

import math
import re
from decimal import Decimal
from typing import Any

from dpwizard.wording import chance, readings, word
from ui.widgets import tr

SAME, MOST_ODDS = 1e-6, 1e15  # relative; beyond so many, chances are not counted out
LONGEST_PLAIN = 12  # characters of a small number that is written out, without a power of ten
LEAST_COUNTED = 0.001  # a smaller chance is counted out of more than 100
PERCENT = re.compile(r"(.+?)\s*(?:%|percent|per cent|prozent|v\.\s?h\.)", re.IGNORECASE)
SHARE = re.compile(r"(.+?)\s*(?:/|\bout of\b|\bin\b|\bof\b|\bvon\b|\baus\b)\s*(.+)", re.IGNORECASE)


def parsed(text: str) -> float | None:
    """Return the number TEXT says; None if it says none, or could mean two."""
    found = _read(text)
    return found[0] if len(found) == 1 else None


def chance_said(text: str) -> float | None:
    """Return the chance TEXT says in so many words: 5 %, 5 in 100, 1 von 1.000, 1/20; None for other texts."""
    plain = text.strip()
    percent, share = PERCENT.fullmatch(plain), SHARE.fullmatch(plain)
    if percent is not None:
        part, whole = parsed(percent[1]), 100.0
    elif share is not None:
        part, whole = parsed(share[1]), max(_read(share[2]), default=0.0)  # "1 von 1.000": nobody counts among one
    else:
        return None
    found = None if part is None or whole <= 0 else part / whole
    return None if found is None or not math.isfinite(found) else found


def chance_in_words(value: float) -> str:
    """Return a chance as a count out of 100 to all its digits, and 1 in so many if it is that: "5 in 100, 1 in 20"."""
    counted = f"{written(100 * value)} {tr('in 100')}"
    if value <= 0 or value >= 1:
        return counted
    odds = 1 / value
    if abs(odds - round(odds)) >= SAME * odds or odds >= MOST_ODDS:
        return counted
    return chance(value) if value < LEAST_COUNTED else f"{counted}, {chance(value)}"


def chance_problem(raw: Any, typed: str, example: str) -> str:
    """Return why RAW, TYPED into a field for a chance, is none, with an EXAMPLE of one; an empty text if it is one."""
    if isinstance(raw, str):
        return doubt(typed) or tr(
            "“{text}” is no chance. Type one as {example}, 5 %, 5 in 100 or 1/20.", text=typed, example=example
        )
    if isinstance(raw, int | float) and raw > 1:
        return tr(
            "{text} is more than certainty. Type a chance as {example}, 5 %, 5 in 100 or 1/20.",
            text=typed,
            example=example,
        )
    return ""


def doubt(text: str) -> str:
    """Return, of a TEXT that could mean two numbers, how to say which; an empty text of any other."""
    found = _read(text)
    if len(found) < 2:
        return ""
    low, high = (written(number) for number in sorted(found))
    return tr("“{text}” can mean two numbers. Write {low} or {high}.", text=text.strip(), low=low, high=high)


def not_a_number(text: str) -> str:
    """Return why TEXT is no number that can be used: that it says none, or could mean two."""
    return doubt(text) or tr("“{text}” is no number. Type one, as in {example}.", text=text, example=written(0.1))


def written(number: float) -> str:
    """Return NUMBER in the window's language, as short as is exact to fifteen digits, without marks between thousands.

    A small number is written out as people write it, 0.0000833333, as long as that is short.
    """
    text = f"{number:.15g}"
    if "e-" in text and len(plain := f"{Decimal(text):f}") <= LONGEST_PLAIN:
        text = plain
    return text.replace(".", word("number", "decimal"))


def _read(text: str) -> tuple[float, ...]:
    """Return every number that TEXT can mean, each once."""
    return readings(text, word("number", "decimal"))
