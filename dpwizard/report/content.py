"""What a report says, read off one record: its decision with its shares, its sentences, and the words around them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from dpwizard.base.language import counting, speaking
from dpwizard.decision import AllowedRange, Decision, RequirementResult
from dpwizard.questions import names_in_short
from dpwizard.records import Record, Sentences, sentences, write
from dpwizard.report.phrases import Words, words
from dpwizard.wording import choice_of

LATEST = 253402300799  # the last second of the year 9999: what the calendar of a PDF can say


@dataclass(frozen=True, kw_only=True)
class Content:
    """One record, and what follows from it without solving anything."""

    record: Record
    data: bytes  # of its JSON file
    decision: Decision  # with the shares that its allocation found
    sentences: Sentences
    words: Words

    @property
    def name(self) -> str:
        """Return what the record's JSON file is called."""
        return f"{self.record.name}.json"

    @property
    def title(self) -> str:
        """Return what the decision is called, else its file."""
        return (self.decision.title or "").strip() or self.record.name

    @property
    def sha256(self) -> str:
        """Return the hash of the record's JSON file."""
        return hashlib.sha256(self.data).hexdigest()

    @property
    def number(self) -> str:
        """Return the number by which people call the record: the first digits of its hash."""
        return f"{self.sha256[:4]} {self.sha256[4:8]}".upper()

    @property
    def answers(self) -> tuple[RequirementResult, ...]:
        return self.record.assessment.answers

    @property
    def window(self) -> AllowedRange:
        return self.record.assessment.window

    @property
    def epsilon(self) -> float | None:
        """Return the budget chosen, which is rho where the release is counted in it; None without noise."""
        return self.record.chosen

    @property
    def printed_choice(self) -> str:
        """Return the budget chosen as it is printed beside the window; empty where none is chosen."""
        return choice_of(self.record.assessment)

    @property
    def names(self) -> names_in_short.NamesInShort:
        """Return what the tables are called in short."""
        return names_in_short.names_in_short(self.decision.release)

    @contextmanager
    def spoken(self) -> Iterator[None]:
        """Say what is said inside in the record's language, and call its budget what it is."""
        with speaking(self.words.language), counting(self.decision.release.counted_in):
            yield

    @property
    def noiseless(self) -> bool:
        """Return whether the release has no noise at all."""
        return self.decision.release.noise.absent

    @property
    def kind(self) -> str:
        """Return what kind of document this is: the public version is called so."""
        return self.words("document", "kind" if self.record.public is None else "kind_public")

    @property
    def not_assessed(self) -> str:
        """Return what is printed where nothing stands."""
        return self.words("summary", "not_assessed")

    @property
    def seconds(self) -> int:
        """Return the stated time as seconds since 1970, kept within what a PDF can say."""
        return max(0, min(int(self.record.time.timestamp()), LATEST))

    def date(self, text: str | None) -> str | None:
        """Return an ISO date as people write it; any other text as it was typed."""
        parts = re.match(r"(\d{4})-(\d{2})-(\d{2})(?:T.*)?\Z", text or "")
        if not parts or not 1 <= int(parts[2]) <= 12:
            return text
        return self.words("document", "date", day=int(parts[3]), month=self.words("month", parts[2]), year=parts[1])


def content(record: Record) -> Content:
    """Return what a report says of RECORD."""
    return Content(
        record=record,
        data=write(record),
        decision=record.planned,
        sentences=sentences(record),
        words=words(record.decision.language),
    )
