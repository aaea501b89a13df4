"""A prior as bars one can shape: made of any belief, moved, and read from a CSV file.

A CSV file holds bins and shares, never single values: a list of values looks like data, and this program takes none.
"""

from __future__ import annotations

import math
from pathlib import Path

from dpwizard.base import files
from dpwizard.base.csv_text import decoded, rows_of, separator
from dpwizard.base.errors import InvalidInput
from dpwizard.base.one_line import on_one_line
from dpwizard.base.values import NUMBER_LIMIT, read
from dpwizard.privacy.priors.distribution import Distribution
from dpwizard.privacy.priors.histogram import MOST_BINS, Histogram

Bars = Histogram
MOST_BYTES = 2**20
BARS = 12
TAIL = 0.005  # left out at an end that reaches to infinity
FINEST = 6  # decimals of a share that a hand has set
MOST_SHARE = 0.99  # of one bar that is dragged: the others keep some room
LAYOUT = "Write one bin on each line: lower end, upper end, share. Commas, semicolons or tabs between."


def as_bars(prior: Distribution, count: int = BARS) -> Histogram:
    """Return PRIOR as COUNT bars of equal width; a histogram stays as it is. Tails that reach to infinity lose 1 in 200
    each.

    Raises InvalidInput where a field is not answered, or all values lie too close together or too far apart for bars.
    """
    import numpy as np

    if isinstance(prior, Histogram) and not prior.missing():
        return prior
    if prior.missing():
        raise InvalidInput("is not answered", prior.missing()[0], "Answer every field of the belief first.")
    low, high = prior.support()
    low = prior.quantile(TAIL) if math.isinf(low) else low
    high = prior.quantile(1 - TAIL) if math.isinf(high) else high
    if low == high:
        low, high = low - 0.5, high + 0.5
    unfit = InvalidInput(
        "cannot be drawn as bars", "", "Bring the smallest and the largest value to a size that can be told apart."
    )
    with np.errstate(all="ignore"):
        edges = np.array([*(_round(edge, high - low) for edge in np.linspace(low, high, count + 1)[:-1]), high])
        edges[0] = low
        if not math.isfinite(high) or abs(high) > NUMBER_LIMIT or not np.all(edges[1:] > edges[:-1]):
            raise unfit
        below = np.array(prior.cdf(edges))
        below[0] = below[0] if prior.listed() is None else 0.0
        weights = np.round(np.diff(below) / (below[-1] - below[0]), FINEST)
    if not np.all(np.isfinite(weights)):
        raise unfit
    return _histogram(tuple(map(float, edges)), tuple(map(float, weights)))


def _round(edge: float, span: float) -> float:
    """Return an EDGE within a SPAN with the digits that a hand can mean: a thousandth of the span."""
    return round(float(edge), 3 - math.floor(math.log10(span))) if 1e-290 < span < 1e300 else float(edge)


def _histogram(edges: tuple[float, ...], weights: tuple[float, ...]) -> Histogram:
    found: Histogram = read(Histogram, {"family": "histogram", "edges": edges, "weights": weights}, "")
    return found


def reshaped(bars: Histogram, index: int, share: float) -> Histogram:
    """Return BARS with bar INDEX at SHARE of the whole (kept within 0 and 0.99); the others keep their proportions."""
    weights = bars.weights or ()
    rest = math.fsum(weight for i, weight in enumerate(weights) if i != index)
    if rest <= 0.0:
        return bars  # the only bar: its share is the whole
    kept = round(min(max(share, 0.0), MOST_SHARE), FINEST)
    scaled = (kept if i == index else round(weight / rest * (1.0 - kept), FINEST) for i, weight in enumerate(weights))
    found = tuple(scaled)
    return _histogram(bars.edges or (), found) if any(found) else bars


def bars_from_file(path: Path) -> Histogram:
    """Return the bars that the CSV file at PATH holds. Raises FileProblem where it cannot be read, InvalidInput for
    what it holds."""
    return bars_from_csv(files.read_bytes(path, MOST_BYTES))


def bars_from_csv(data: bytes) -> Histogram:
    """Return the bars that DATA, the bytes of a CSV file, hold: on each line lower end, upper end, share; a first line
    of words is skipped.

    Bins may stand in any order and leave gaps (share 0); they may not overlap. Raises InvalidInput naming the line.
    """
    if len(data) > MOST_BYTES:
        raise InvalidInput("is larger than 1 MB", "", "A histogram of at most 2,000 bins is enough.")
    bins = sorted(_bins(decoded(data)))
    if not bins:
        raise InvalidInput("holds no bins", "", LAYOUT)
    edges, weights = [bins[0][0]], []
    for low, high, share, line in bins:
        if low < edges[-1]:
            raise InvalidInput(
                "overlaps another bin", f"line {line}", "Let each bin begin where another ends, or after it."
            )
        if low > edges[-1]:
            edges.append(low)
            weights.append(0.0)
        edges.append(high)
        weights.append(share)
    if len(weights) > MOST_BINS:
        raise InvalidInput("holds more than 2,000 bins", "", "Join neighbouring bins.")
    if not any(weights):
        raise InvalidInput("has only shares of 0", "", "Give at least one bin a share above 0.")
    return _histogram(tuple(edges), tuple(weights))


def _bins(text: str) -> list[tuple[float, float, float, int]]:
    """Return the bins with the lines they stand on."""
    mark = separator(text)
    found: list[tuple[float, float, float, int]] = []
    for line, cells in enumerate(rows_of(text, mark, blanks=True), start=1):
        if not any(cells):
            continue
        numbers = [_number(cell, mark) for cell in cells]
        if not found and line == 1 and all(number is None for number in numbers):
            continue  # a line of headings
        where = f"line {line}"
        if len(cells) == 1:
            raise InvalidInput("holds a single value: this looks like data, not like a histogram", where, LAYOUT)
        if len(cells) != 3:
            raise InvalidInput("has {count} cells instead of 3", where, LAYOUT, count=len(cells))
        wrong = next((cell for cell, number in zip(cells, numbers, strict=True) if number is None), None)
        if wrong is not None:
            raise InvalidInput('"{text}" is not a number', where, LAYOUT, text=on_one_line(wrong[:40]))
        low, high, share = (number for number in numbers if number is not None)
        if not low < high:
            raise InvalidInput("has a lower end that is not below its upper end", where, "Put the smaller one first.")
        if share < 0.0:
            raise InvalidInput("has a negative share", where, "Shares are 0 or more; they need not add up to 1.")
        found.append((low, high, share, line))
    return found


def _number(cell: str, mark: str) -> float | None:
    """Return the number CELL writes, with a decimal comma where commas do not separate cells; None if it writes
    none."""
    try:
        number = float(cell.replace(",", ".") if mark != "," else cell)
    except ValueError:
        return None
    return number if math.isfinite(number) and abs(number) <= 1e300 and "_" not in cell else None
