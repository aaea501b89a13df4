"""A prior as bars: from any prior, by dragging, and from a CSV file.

A CSV file holds bins and shares, never single values: a list of values could be confidential data.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

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
TAIL_CUT = 0.005  # the mass cut off at an infinite end
SHARE_DECIMALS = 6
MOST_SHARE = 0.99  # the largest share of a dragged bar, so that the others have some mass
LAYOUT = "Write one bin on each line: lower end, upper end, share. Commas, semicolons or tabs between."


def as_bars(prior: Distribution) -> Histogram:
    """Return PRIOR as twelve bars of equal width, or unchanged if it is a histogram; infinite tails lose 1 in 200 each.

    Raises InvalidInput if a field is not answered, or if all values are too near to or too far from each other.
    """
    if isinstance(prior, Histogram) and not prior.missing():
        return prior
    if prior.missing():
        raise InvalidInput("is not answered", prior.missing()[0], "Fill in every field of the chances before first.")
    low, high = prior.support()
    low = prior.quantile(TAIL_CUT) if math.isinf(low) else low
    high = prior.quantile(1 - TAIL_CUT) if math.isinf(high) else high
    if low == high:
        low, high = low - 0.5, high + 0.5
    not_drawable = InvalidInput(
        "cannot be drawn as bars",
        "",
        "Bring the smallest and the largest value closer in size, so that they can be distinguished.",
    )
    with np.errstate(all="ignore"):
        edges = np.array([*(_round_edge(edge, high - low) for edge in np.linspace(low, high, BARS + 1)[:-1]), high])
        edges[0] = low
        if not math.isfinite(high) or abs(high) > NUMBER_LIMIT or not np.all(edges[1:] > edges[:-1]):
            raise not_drawable
        below = np.array(prior.cdf(edges))
        below[0] = below[0] if prior.listed() is None else 0.0
        weights = np.round(np.diff(below) / (below[-1] - below[0]), SHARE_DECIMALS)
    if not np.all(np.isfinite(weights)):
        raise not_drawable
    return _histogram(tuple(map(float, edges)), tuple(map(float, weights)))


def _round_edge(edge: float, span: float) -> float:
    """Return EDGE rounded to a thousandth of SPAN."""
    return round(float(edge), 3 - math.floor(math.log10(span))) if 1e-290 < span < 1e300 else float(edge)


def _histogram(edges: tuple[float, ...], weights: tuple[float, ...]) -> Histogram:
    histogram: Histogram = read(Histogram, {"family": "histogram", "edges": edges, "weights": weights}, "")
    return histogram


def reshaped(bars: Histogram, index: int, share: float) -> Histogram:
    """Return BARS with bar INDEX at SHARE (kept within 0 and 0.99) and the others in proportion."""
    weights = bars.weights or ()
    rest = math.fsum(weight for i, weight in enumerate(weights) if i != index)
    if rest <= 0.0:
        return bars  # the only bar with mass
    new_share = round(min(max(share, 0.0), MOST_SHARE), SHARE_DECIMALS)
    new_weights = tuple(
        new_share if i == index else round(weight / rest * (1.0 - new_share), SHARE_DECIMALS)
        for i, weight in enumerate(weights)
    )
    return _histogram(bars.edges or (), new_weights) if any(new_weights) else bars


def bars_from_file(path: Path) -> Histogram:
    """Return the bars of the CSV file at PATH; raises FileProblem if it cannot be read, and as bars_from_csv does."""
    return bars_from_csv(files.read_bytes(path, MOST_BYTES))


def bars_from_csv(data: bytes) -> Histogram:
    """Return the bars of a CSV file with the bytes DATA: lower end, upper end and share on each line.

    Headings on the first line are skipped. Bins may come in any order and leave gaps (share 0), but not overlap.
    Raises InvalidInput naming the line.
    """
    if len(data) > MOST_BYTES:
        raise InvalidInput("is larger than 1 MB", "", "A histogram of at most 2,000 bins is enough.")
    bins = sorted(_read_bins(decoded(data)))
    if not bins:
        raise InvalidInput("contains no bins", "", LAYOUT)
    edges, weights = [bins[0][0]], []
    for low, high, share, line in bins:
        if low < edges[-1]:
            raise InvalidInput("overlaps another bin", f"line {line}", "Begin each bin where another ends, or later.")
        if low > edges[-1]:
            edges.append(low)
            weights.append(0.0)
        edges.append(high)
        weights.append(share)
    if len(weights) > MOST_BINS:
        raise InvalidInput("contains more than 2,000 bins", "", "Join neighbouring bins.")
    if not any(weights):
        raise InvalidInput("has only shares of 0", "", "Give at least one bin a share above 0.")
    return _histogram(tuple(edges), tuple(weights))


def _read_bins(text: str) -> list[tuple[float, float, float, int]]:
    """Return (lower end, upper end, share, line) of each bin."""
    delimiter = separator(text)
    bins: list[tuple[float, float, float, int]] = []
    for line, cells in enumerate(rows_of(text, delimiter, blanks=True), start=1):
        if not any(cells):
            continue
        numbers = [_parse_number(cell, delimiter) for cell in cells]
        if not bins and line == 1 and all(number is None for number in numbers):
            continue  # a line of headings
        where = f"line {line}"
        if len(cells) == 1:
            raise InvalidInput("contains a single value: this looks like data, not like a histogram", where, LAYOUT)
        if len(cells) != 3:
            raise InvalidInput("has {count} cells instead of 3", where, LAYOUT, count=len(cells))
        not_a_number = next((cell for cell, number in zip(cells, numbers, strict=True) if number is None), None)
        if not_a_number is not None:
            raise InvalidInput('"{text}" is not a number', where, LAYOUT, text=on_one_line(not_a_number[:40]))
        low, high, share = (number for number in numbers if number is not None)
        if not low < high:
            raise InvalidInput("has a lower end that is not below its upper end", where, "Put the smaller one first.")
        if share < 0.0:
            raise InvalidInput("has a negative share", where, "Shares are 0 or more; they need not add up to 1.")
        bins.append((low, high, share, line))
    return bins


def _parse_number(cell: str, delimiter: str) -> float | None:
    """Return the number in CELL, with a decimal comma unless commas separate cells; None if it is no number."""
    try:
        number = float(cell.replace(",", ".") if delimiter != "," else cell)
    except ValueError:
        return None
    return number if math.isfinite(number) and abs(number) <= 1e300 and "_" not in cell else None
