"""Sensitivity from a sample of neighbouring pairs, and the sample size it requires.

**A sampled sensitivity is valid only for data drawn like the sample; it is no bound on the true sensitivity, and must
never be sampled from confidential data**: the noise scale would itself reveal something about them.
"""

from __future__ import annotations

import csv
import math
from array import array
from collections.abc import Iterable, Iterator
from decimal import Decimal, localcontext
from typing import Annotated

from pydantic import Field, SkipValidation

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import sentence
from dpwizard.base.numerics import decimal
from dpwizard.base.value_errors import quoted_value
from dpwizard.base.values import NUMBER_LIMIT, Belief, Number, Probability, ShortText, Value, field, public
from dpwizard.privacy.arguments import one_for_each

Vector = Annotated[tuple[Number, ...], Field(min_length=1)]
Pair = tuple[Vector, Vector]
Pairs = Annotated[tuple[Pair, ...], Field(min_length=1)]

NEVER = "Use public or test data only; a sensitivity sampled from confidential data discloses something about them."
MOST_DIGITS = 650  # decimal digits for a number of samples; beyond 10^300 it counts as infinite


class SampledSensitivity(Value):
    """A quantile of the distances between the answers of neighbouring pairs, and the sample it comes from."""

    sensitivity: float = field("Sampled sensitivity", "The rank-th smallest distance.", default=...)
    rank: int = field("Rank", "Counted from 1.", default=...)
    samples: int = field("Pairs read", default=...)


@public
def samples_needed(*, tolerance: Probability, rho: Probability) -> int | float:
    """Return how many sampled pairs bring their distribution within RHO of the true one with chance TOLERANCE.

    Arguments: tolerance alpha in [0, 1]; rho in [0, 1]. Returns the whole number ceil(ln(2/(1 - alpha))/(2 rho^2)),
    exact (the arguments are read as decimals), **never too small**; inf where no number suffices
    (alpha 1 or rho 0, or beyond 10^300). Raises InvalidInput. Source: Dandekar et al. 2021, equation (13) solved for n;
    Dvoretzky, Kiefer & Wolfowitz with Massart's constant.
    """
    if tolerance == 1.0 or rho < 1e-150:
        return math.inf
    with localcontext() as context:
        context.prec = MOST_DIGITS
        rest = 1 - Decimal(repr(tolerance))
        context.prec = 40 + 2 * max(0, -math.floor(math.log10(rho)))
        needed = (2 / rest).ln() / (2 * Decimal(repr(rho)) ** 2)
        return int(needed.to_integral_value(rounding="ROUND_CEILING"))


@public
def sampled_sensitivity(*, pairs: Pairs, confidence: Belief) -> float:
    """Return the sampled sensitivity: the quantile of the L1 distances between the answers of neighbouring pairs.

    Arguments: pairs, [[f(x), f(y)], ..] from public or test data, **never from confidential data**: f(x) and f(y)
    vectors of one length, in units of the statistic; confidence in (0, 1]. Returns the ceil(confidence n)-th smallest
    of the n distances (confidence read as a decimal), in the same units; error 1e-15 relative. **Not a bound on the
    sensitivity**: coverage_confidence says how much of such data it covers. Raises InvalidInput. Source: Dandekar et
    al. 2021, Definition 7.
    """
    distances = array("d")
    for i, (answer, neighbour_answer) in enumerate(pairs):
        one_for_each(neighbour_answer, len(answer), f"pairs[{i}]")
        distances.append(_l1_distance(answer, neighbour_answer))
    return _sampled_quantile(distances, confidence).sensitivity


@public
def sampled_sensitivity_from_csv(
    *, lines: SkipValidation[Iterable[str]], confidence: Belief, origin: ShortText, delimiter: ShortText = ","
) -> SampledSensitivity:
    """Return the sampled sensitivity of the pairs in a CSV table of public or test data, read once, row by row.

    **Never confidential data**: the answer depends on the very pairs that are read.
    Arguments: lines, the lines of the table, one by one (an open text file, for instance) or in a list: each row one
    neighbouring pair, first the k numbers of f(x), then the k numbers of f(y), in units of the statistic; a first row
    that is not numbers is a heading; empty rows are passed over; confidence in (0, 1]; origin, what the rows are,
    "public" or "test_data"; delimiter, one character. Returns the ceil(confidence n)-th smallest L1 distance, its rank
    and n. Only the distances are kept (8 bytes a row). **Not a bound on the sensitivity.** Raises InvalidInput naming
    the line. Source: Dandekar et al. 2021, Definition 7.
    """
    if origin not in ("public", "test_data"):
        raise InvalidInput(
            'must be "public" or "test_data"; found {found}', "origin", NEVER, found=quoted_value(origin)
        )
    if len(delimiter) != 1 or delimiter in '"\r\n':
        raise InvalidInput(
            "must be one character; found {found}",
            "delimiter",
            "Use a comma, a semicolon or a tab.",
            found=quoted_value(delimiter),
        )
    distances, width = array("d"), 0
    for number, cells in _filled_rows(lines, delimiter):
        values = [_parse_number(cell) for cell in cells]
        if not distances and not width and any(value is None for value in values):
            width = len(cells)  # the heading
            continue
        for column, value in enumerate(values, 1):
            if value is None:
                raise InvalidInput(
                    "must be a number; found {found} in column {column}",
                    f"line {number}",
                    "Correct or remove this row.",
                    found=quoted_value(cells[column - 1]),
                    column=column,
                )
        width = width or len(cells)
        if len(cells) != width or width % 2:
            raise InvalidInput(
                "must contain f(x) and f(y), as many numbers each and the same in every row; found {count} columns",
                f"line {number}",
                "Write the numbers of f(x), then those of f(y).",
                count=len(cells),
            )
        known = [value for value in values if value is not None]
        distances.append(_l1_distance(known[: width // 2], known[width // 2 :]))
    if not distances:
        raise InvalidInput(
            "must contain at least one pair; found none",
            "lines",
            "Enter one pair in each row. {never}",
            never=sentence(NEVER),
        )
    return _sampled_quantile(distances, confidence)


def _filled_rows(lines: Iterable[str], delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield (line number, cells) of each row that is not empty."""
    reader = csv.reader(_text_lines(lines), delimiter=delimiter)
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as problem:
            raise InvalidInput(
                "cannot be read as CSV: {reason}",
                f"line {reader.line_num}",
                "Correct or remove this row.",
                reason=str(problem),
            ) from None
        if any(cell.strip() for cell in cells):
            yield reader.line_num, cells


def _text_lines(lines: Iterable[str]) -> Iterator[str]:
    if isinstance(lines, str) or not isinstance(lines, Iterable):
        raise InvalidInput(
            "must be lines of text; found {found}",
            "lines",
            "Give an open table, or a list of its lines.",
            found=quoted_value(lines),
        )
    number = 0
    try:
        for line in lines:
            number += 1
            if not isinstance(line, str):
                raise InvalidInput("must be text", f"line {number}", "Open the table as text (UTF-8).")
            yield line.removeprefix("\ufeff") if number == 1 else line
    except UnicodeDecodeError:
        raise InvalidInput(
            "is not text in the encoding it was opened with", f"line {number + 1}", "Save the table as UTF-8."
        ) from None


def _parse_number(cell: str) -> float | None:
    """Return the number in CELL; None if it is not a number, or above 1e300."""
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if abs(value) <= NUMBER_LIMIT and "_" not in cell else None


def _l1_distance(first: Iterable[float], second: Iterable[float]) -> float:
    distance = sum(abs(a - b) for a, b in zip(first, second, strict=True))
    if math.isinf(distance):
        raise InvalidInput("are too far apart for a distance", "pairs", "Use a smaller unit.")
    return float(distance)


def _sampled_quantile(distances: array[float], confidence: float) -> SampledSensitivity:
    n = len(distances)
    rank = math.ceil(decimal(confidence) * n)
    return SampledSensitivity(sensitivity=sorted(distances)[rank - 1], rank=rank, samples=n)
