"""Which tables of a publication a need speaks of, where it names none: those of a level, a group, a year, and so on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

from pydantic import Field, model_validator

from dpwizard.base.errors import InvalidInput
from dpwizard.base.values import ShortText, Value, field
from dpwizard.decision.names import unknown_word
from dpwizard.decision.reasons import Reason
from dpwizard.decision.release import Release
from dpwizard.decision.stated import MOST_NAMES, MOST_PARTS
from dpwizard.decision.tables import Statistic, Table
from dpwizard.privacy.mechanisms import MechanismName

WORDS = ("level", "group", "year", "period", "statistic", "mechanism")  # what a table has one of


class Where(Value):
    """What the tables of a need have in common: each word that is given, all of them."""

    level: ShortText | None = field("Level", "Tables of this level.", editor="level")
    group: ShortText | None = field("Group", "Tables of this group.", editor="group")
    year: ShortText | None = field("Year", "Tables of this year.")
    period: ShortText | None = field("Period", "Tables of this period.")
    statistic: Statistic | None = field("Statistic", "Tables that hold this.")
    mechanism: MechanismName | None = field("Mechanism", "Tables with this noise.")
    reads: Annotated[tuple[ShortText, ...], Field(max_length=MOST_NAMES)] | None = field(
        "Attributes read", "Tables that are broken down by just these, in any order.", editor="attributes"
    )
    parts: Annotated[tuple[ShortText, ...], Field(max_length=MOST_PARTS)] | None = field(
        "Tables", "Tables of these names.", editor="other_tables"
    )

    @model_validator(mode="after")
    def _names_one_time(self) -> Where:
        if self.year is not None and self.period is not None:
            raise InvalidInput("does not go with year", "period", "Name the year or the period of the tables.")
        return self

    @property
    def given(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield the words that are given, each with its field."""
        for name in type(self).model_fields:
            words = getattr(self, name)
            if words is not None:
                yield name, words if isinstance(words, tuple) else (words,)

    def matches(self, table: Table) -> bool:
        """Return whether TABLE has all the words given."""
        if self.reads is not None and (table.reads is None or set(table.reads) != set(self.reads)):
            return False
        if self.parts is not None and table.name not in self.parts:
            return False
        return all(getattr(self, name) in (None, getattr(table, name)) for name in WORDS)

    def tables(self, release: Release) -> tuple[Table, ...]:
        """Return the tables of RELEASE that match, in their order."""
        return release.cached((self, "tables"), lambda: tuple(table for table in release.tables if self.matches(table)))

    def unknown_words(self, release: Release) -> Iterator[Reason]:
        """Yield the words that no table of RELEASE has, each with the nearest; or that no table has all of them."""
        found = release.cached((self, "unknown"), lambda: tuple(self._unknown(release.tables)))
        yield from found
        if not found and not self.tables(release):
            yield Reason(key="no_table_matches", where="where")

    def _unknown(self, tables: Iterable[Table]) -> Iterator[Reason]:
        has = {name: [str(getattr(table, name) or "") for table in tables] for name in WORDS}
        has |= {"reads": [name for table in tables for name in table.reads or ()]}
        has |= {"parts": [table.name or "" for table in tables]}
        for name, words in self.given:
            for word in words:
                unknown = unknown_word(word, (each for each in has[name] if each), f"where.{name}")
                if unknown is not None:
                    yield unknown
