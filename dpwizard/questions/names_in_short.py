"""Short names for the tables of a publication: equal rows become one row with all their names.

A table that is published for each of several quarters is called "births [Period]".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from dpwizard.base.language import phrase
from dpwizard.base.values import Value
from dpwizard.decision import Part, Release

MANY = 12  # tables, above which names are shortened
AGAIN = ("period", "year")  # what a table is published again for, and may have in its name
OF_PLACE = ("name", "level", "year", "period", "group")  # of a table: listed where tables say the same of all else
WITH_NAMES = ("name", "adds_up_to")  # what holds the names of tables of the same period


@dataclass(frozen=True, kw_only=True)
class NamesInShort:
    """What tables are called that are published for each of several periods: their name with a blank for the period."""

    word: str = ""  # AGAIN: what the blank stands for; empty if there is no blank
    blank: str = ""
    by_name: Mapping[str, str] = field(default_factory=dict)  # what each is called in short; of other tables nothing

    def of_all(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return what the tables of these NAMES are called: in short where they are all that are called so."""
        all_names = tuple(names)
        totals, counts = Counter(self.by_name.values()), Counter(map(self.by_name.get, dict.fromkeys(all_names)))
        short_names = {name: short for name, short in self.by_name.items() if counts[short] == totals[short]}
        return tuple(dict.fromkeys(short_names.get(name, name) for name in all_names))

    def in_few_rows(
        self, fields: Sequence[str], rows: Sequence[tuple[str, ...]], stated: Sequence[Value]
    ) -> tuple[tuple[str, ...], ...]:
        """Return ROWS, which say in words these FIELDS of what is STATED, with one for all that differ in place alone.

        The blank stands in the names of a row that has all periods of its table.
        """
        short = tuple(
            tuple(self._in_short(field, cell, value) for field, cell in zip(fields, row, strict=True))
            for row, value in zip(rows, stated, strict=True)
        )
        of_period = tuple(at for at, name in enumerate(fields) if name == self.word)
        of_place = tuple(at for at, name in enumerate(fields) if name in OF_PLACE and name != self.word)
        return alike(alike(short, of_period), of_place)

    def _in_short(self, name: str, cell: str, value: Value) -> str:
        """Return the CELL on field NAME of a VALUE with the blank in place of its period, where its name has one."""
        has_blank = name in WITH_NAMES and getattr(value, "name", None) in self.by_name
        return _with_blank(cell, getattr(value, self.word), self.blank) if has_blank else cell


def names_in_short(release: Release) -> NamesInShort:
    """Return what the tables of RELEASE are called in short, by the first word of AGAIN that is in their names."""
    for word in AGAIN:
        label = next(field.title for name, field in Part.model_fields.items() if name == word)
        blank = f"[{phrase('label', label or word)}]"
        values = {table.name: getattr(table, word) for table in release.tables if table.name}
        short_names = {name: _with_blank(name, value, blank) for name, value in values.items()}
        counts = Counter(short_names.values())
        repeated = {name: short for name, short in short_names.items() if counts[short] > 1}
        most_state_it = 2 * sum(map(bool, values.values())) > len(release.tables) > MANY
        if repeated and most_state_it and not any(blank in name for name in values):
            return NamesInShort(word=word, blank=blank, by_name=repeated)
    return NamesInShort()


def _with_blank(text: str, value: str | None, blank: str) -> str:
    return re.sub(rf"(?<!\w){re.escape(value)}(?!\w)", lambda _: blank, text) if value else text


def alike(
    rows: Sequence[tuple[str, ...]],
    listed: tuple[int, ...] = (0,),
    short: Callable[[Iterable[str]], Iterable[str]] = dict.fromkeys,
) -> tuple[tuple[str, ...], ...]:
    """Return ROWS with one line for all that say the same but in the columns that are LISTED, which hold all of it.

    SHORT says what is listed, once each.
    """
    gathered: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for row in rows:
        rest = tuple("" if at in listed else cell for at, cell in enumerate(row))
        gathered.setdefault(rest, []).append(row)
    return tuple(
        tuple("; ".join(short(row[at] for row in group)) if at in listed else cell for at, cell in enumerate(rest))
        for rest, group in gathered.items()
    )
