"""Numbers of at least 0 that may be entered as exact fractions, such as 293764/114921, and are kept as entered."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, Tag, WithJsonSchema
from pydantic_core import PydanticCustomError

from dpwizard.base.messages import message
from dpwizard.base.numerics import decimal, real
from dpwizard.base.values import NUMBER_LIMIT, NonNegative, refused

PATTERN = r"^\d{1,40}/\d{1,40}$"


def _is_fraction(text: str) -> str:
    above, _, below = text.partition("/")
    if re.fullmatch(PATTERN, text, re.ASCII) is None or not int(below) or int(above) > NUMBER_LIMIT * int(below):
        raise refused("range", message('must be a number of at least 0, or a fraction such as "53/513"'))
    return text


_FractionText = Annotated[
    str, Field(strict=True), AfterValidator(_is_fraction), WithJsonSchema({"type": "string", "pattern": PATTERN})
]
Fractional = Annotated[
    Annotated[NonNegative, Tag("number")] | Annotated[_FractionText, Tag("fraction")],
    Discriminator(lambda raw: "fraction" if isinstance(raw, str) else "number"),
]


def _read_up(raw: Any) -> Any:
    """Return RAW, with a fraction converted to a number, rounded up; NonNegative refuses any other text."""
    try:
        return rounded_up(_is_fraction(raw)) if isinstance(raw, str) else raw
    except PydanticCustomError:
        return raw


RoundedUp = Annotated[  # a number or fraction that is converted to a number
    NonNegative,
    BeforeValidator(_read_up),
    WithJsonSchema({"anyOf": [{"type": "number", "minimum": 0}, {"type": "string", "pattern": PATTERN}]}),
]


def exactly(written: float | str) -> Fraction:
    """Return a WRITTEN fraction or number exactly; a number is taken as its shortest decimal."""
    return Fraction(written) if isinstance(written, str) else decimal(written)


def rounded_down(written: float | str | Fraction) -> float:
    """Return a WRITTEN value as a number whose shortest decimal is rounded down: 1/5 is 0.2."""
    if isinstance(written, float | int):
        return written
    exact = Fraction(written)
    nearest = real(exact)
    return nearest if decimal(nearest) <= exact else math.nextafter(nearest, 0.0)


def rounded_up(written: float | str) -> float:
    """Return a WRITTEN value as a number, rounded up."""
    if not isinstance(written, str):
        return written
    exact = Fraction(written)
    nearest = real(exact)
    return nearest if Fraction(nearest) >= exact else math.nextafter(nearest, math.inf)
