"""What others have chosen: a dated table of published values of epsilon, each with its unit and its time window.

An officer sees it only after an answer of their own: a number seen first pulls the answer towards it.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields

from dpwizard.language import spoken
from dpwizard.resource_files import resource


@dataclass(frozen=True, kw_only=True)
class PublishedChoice:
    """One published choice: who published which data, epsilon (and delta), whose data it protects over which time, and
    where it is said."""

    who: str
    what: str
    epsilon: str
    unit: str
    window: str
    year: int
    source: str


@dataclass(frozen=True, kw_only=True)
class PublishedChoices:
    """The table, and the day on which it was put together."""

    as_of: str
    chosen: tuple[PublishedChoice, ...]


def read_published_choices() -> PublishedChoices:
    """Return the table that comes with the program, in the language spoken; texts it lacks there are in English."""
    with resource("published_choices.toml").open("rb") as stream:
        raw = tomllib.load(stream)
    names = tuple(one.name for one in fields(PublishedChoice))
    rows = tuple(
        PublishedChoice(**{name: row.get(f"{name}_{spoken()}", row[name]) for name in names}) for row in raw["chosen"]
    )
    return PublishedChoices(as_of=raw["as_of"], chosen=rows)
