"""Chances and shares as people type them: 5 %, 5 in 100, 1/20, 0.05; in German also 5 von 100 and 0,05.

Beside a field that says "in 100", 5 is 5 in 100. There 0.5 may be half of 100, or half of one in 100: both are
returned. What is written is read back as the same value.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from dpwizard.base.language import word
from dpwizard.wording.typed_numbers import LONGEST, exact_readings

PARTS = re.compile(  # a number and what it is counted out of, by name
    r"(.+?)\s*(?:(%|percent|per cent|prozent|vom hundert|v\.\s?h\.)|(‰|per mille|promille))", re.IGNORECASE
)
SHARE = re.compile(r"(.+?)\s*(?:/|⁄|\bout of\b|\bin\b|\bof\b|\bper\b|\bvon\b|\baus\b|\bje\b)\s*(.+)", re.IGNORECASE)
LONGEST_PLAIN = 24  # characters of a small number that is written out, without a power of ten


@dataclass(frozen=True, kw_only=True)
class ChanceField:
    """How a field takes chances: in which unit a plain number is, and how far they reach."""

    in_100: bool = True  # a plain number counts out of 100; else it is a chance from 0 to 1
    certainty: bool = True  # whether 1 is an answer
    most: float = 1.0  # a share of a number may be more than all of it

    def readings(self, text: str) -> tuple[float, ...]:
        """Return every chance that TEXT can mean here, the smallest first; none where it says none.

        One that cannot be an answer is left out beside one that can; alone, it is returned, for the model to refuse.
        """
        readings = chances_in(text)
        if readings is None:
            numbers = [Fraction(number) for number in exact_readings(text, word("number", "decimal"))]
            readings = tuple(_float(n / 100 if self.in_100 else n) for n in numbers)
            if self.in_100:  # 0.5 is often typed where 50 in 100 is meant
                readings += tuple(_float(n) for n in numbers if 0 < n < 1 or (n == 1 and self.certainty))
        finite = sorted({chance for chance in readings if math.isfinite(chance)})
        inside = tuple(n for n in finite if 0.0 <= n <= self.most and (self.certainty or n < self.most))
        return inside or tuple(finite)

    def written(self, value: float) -> str:
        """Return VALUE as the field shows it: read again, it is the very same value and no other."""
        plain = _digits(value, 2 if self.in_100 else 0)
        return plain if self.readings(plain) == (value,) else percent(value)


def percent(value: float) -> str:
    """Return a chance in per cent, to its last digit."""
    return f"{_digits(value, 2)} %"


def chances_in(text: str) -> tuple[float, ...] | None:
    """Return every chance that TEXT says with what it is counted out of; None where it says no such thing.

    "1 von 1.000" is one in a thousand, as nobody counts among one. "1 in 1.000" in English can be both.
    """
    plain = text.strip()
    if len(plain) > LONGEST:
        return None
    mark = word("number", "decimal")
    if match := PARTS.fullmatch(plain):
        wholes: tuple[Fraction, ...] = (Fraction(100 if match[2] else 1_000),)
    elif match := SHARE.fullmatch(plain):
        wholes = _wholes(match[2], mark)
    else:
        return None
    numerators = exact_readings(match[1], mark)
    return tuple(dict.fromkeys(_float(Fraction(part) / whole) for part in numerators for whole in wholes))


def _wholes(text: str, mark: str) -> tuple[Fraction, ...]:
    """Return what TEXT can mean as the number of those counted among: never below another it can mean in its language.

    A thousand by the marks of another language is meant as well: 1,000 in German, 1.000 in English.
    """
    largest = max(exact_readings(text, mark), default=None)
    other = max(exact_readings(text, "." if mark == "," else ",", strict=True), default=None)
    wholes = [] if largest is None else [largest] if other is None or other <= largest else [largest, other]
    return tuple(Fraction(one) for one in wholes if one > 0)


def _float(exact: Fraction) -> float:
    try:
        return float(exact)
    except OverflowError:
        return math.inf


def _digits(value: float, places: int) -> str:
    """Return VALUE with its point moved PLACES to the right, to its last digit, in the language spoken."""
    moved = Decimal(repr(float(value) + 0.0)).scaleb(places).normalize()
    text = f"{moved:f}"
    if len(text) > LONGEST_PLAIN:
        text = f"{moved:e}"
    return text.replace(".", word("number", "decimal"))
