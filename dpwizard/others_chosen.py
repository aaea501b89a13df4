"""What others have chosen: a dated table of published values of epsilon, each with its unit and its time window.

An officer sees it only after an answer of their own: a number seen first pulls the answer towards it.
"""

from __future__ import annotations

import functools
import tomllib

from dpwizard.fields import Count, ShortText, Value, field, read
from dpwizard.resource_files import resource

__all__ = ["Chosen", "OthersChosen", "others_chosen"]


class Chosen(Value):
    """One published choice."""

    who: ShortText = field("Who", "The organisation that published the data.", default=...)
    what: ShortText = field("What", "The data.", default=...)
    epsilon: ShortText = field("Epsilon", "As published, with delta where there is one.", default=...)
    unit: ShortText = field("Unit", "Whose data the value protects.", default=...)
    window: ShortText = field("Time", "The time over which it is spent.", default=...)
    year: Count = field("Year", "In which it was published.", default=...)
    source: ShortText = field("Source", "Where it is said.", default=...)


class OthersChosen(Value):
    """The table, and the day on which it was put together."""

    as_of: ShortText = field("As of", "The day of the table.", default=...)
    chosen: tuple[Chosen, ...] = field("Chosen", "By organisation.", default=...)


@functools.cache
def others_chosen() -> OthersChosen:
    """Return the table that comes with the program."""
    with resource("others", "chosen.toml").open("rb") as stream:
        raw = tomllib.load(stream)
    table: OthersChosen = read(OthersChosen, raw, "others")
    return table
