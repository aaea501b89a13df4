"""Numbers as they were printed: their exact value, and how far rounding may have moved them.

0.0749 and 11417641/152349649 are kept as written. A decimal may be off by half a unit of its last place; a fraction and
a whole number are meant exactly.
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, WithJsonSchema

from dpwizard.base.messages import message
from dpwizard.base.numerics import real
from dpwizard.base.values import refused

LONGEST = 90  # characters; certificates print fractions of two numbers with ten digits each
POWERS = -100, 15  # of ten, between which a figure lies that is not 0: squares and sums of these are numbers
LOOSEST_INPUT = Fraction(1, 10)  # relative: 0.1 put into a formula is not taken for anything from 0.05 to 0.15
LOOSEST_RESULT = Fraction(1, 20)  # relative: a result printed as 0.07 that is 0.0749 says 7 % too little
WHOLE_RESULT = Fraction(1, 200)  # relative: an epsilon of "1" may be 0.998
_DECIMAL = re.compile(r"\d{1,40}(\.\d{1,40})?([eE][+-]?\d{1,4})?", re.ASCII)
_FRACTION = re.compile(r"\d{1,40}/\d{1,40}", re.ASCII)


def _as_text(raw: Any) -> Any:
    """Return a number as its shortest decimal, which a program may have written; text as it stands."""
    return repr(raw) if isinstance(raw, int | float) and not isinstance(raw, bool) else raw


def _refuse_other_text(text: str) -> str:
    written = text.strip()
    if len(written) <= LONGEST and _DECIMAL.fullmatch(written) is not None:
        value = Decimal(written)
        if not value or POWERS[0] <= value.adjusted() < POWERS[1]:
            return written
    if len(written) <= LONGEST and _FRACTION.fullmatch(written) is not None:
        above, _, below = written.partition("/")
        if int(below) and int(above) < 10 ** POWERS[1] * int(below):
            return written
    raise refused("range", message('must be a number of at least 0 such as 2.63 or 1e-10, or a fraction such as "1/5"'))


Printed = Annotated[
    str,
    BeforeValidator(_as_text),
    AfterValidator(_refuse_other_text),
    WithJsonSchema({"anyOf": [{"type": "number", "minimum": 0}, {"type": "string"}]}),
]


def exact(text: str) -> Fraction:
    """Return what a printed number says, exactly."""
    return Fraction(text) if "/" in text else Fraction(Decimal(text))


def number(text: str) -> float:
    """Return the float nearest to a printed number."""
    return real(exact(text))


def half_step(text: str) -> Fraction:
    """Return half a unit of the last place of a printed decimal; 0 of a fraction or a whole number."""
    if "/" in text or not ("." in text or "e-" in text.lower()):
        return Fraction(0)
    power = Decimal(text).as_tuple().exponent
    assert isinstance(power, int)
    return Fraction(10) ** power / 2


def ends(text: str) -> tuple[float, float]:
    """Return between what a printed number lies that is put into a formula."""
    value = exact(text)
    off = min(half_step(text), LOOSEST_INPUT * value)
    return real(value - off), real(value + off)


def slack(text: str) -> Fraction:
    """Return how far from its true value a printed result may be, when it was rounded to the digits it has."""
    value = exact(text)
    whole = "/" not in text and not half_step(text)
    return WHOLE_RESULT * value if whole else min(half_step(text), LOOSEST_RESULT * value)
