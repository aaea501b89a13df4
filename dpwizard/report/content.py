"""The content of a report: a record, its decision with shares, and its sentences."""

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

LATEST = 253402300799  # the last second of the year 9999, the maximum in a PDF


@dataclass(frozen=True, kw_only=True)
class Content:
    """One record and everything derived from it without solving."""

    record: Record
    data: bytes  # of its JSON file
    decision: Decision  # with the shares of its allocation
    sentences: Sentences
    words: Words

    @property
    def name(self) -> str:
        """Return the name of the record's JSON file."""
        return f"{self.record.name}.json"

    @property
    def title(self) -> str:
        """Return the title of the decision, else the name of the record."""
        return (self.decision.title or "").strip() or self.record.name

    @property
    def sha256(self) -> str:
        """Return the hash of the record's JSON file."""
        return hashlib.sha256(self.data).hexdigest()

    @property
    def number(self) -> str:
        """Return the short number of the record: the first digits of its hash."""
        return f"{self.sha256[:4]} {self.sha256[4:8]}".upper()

    @property
    def answers(self) -> tuple[RequirementResult, ...]:
        return self.record.assessment.answers

    @property
    def window(self) -> AllowedRange:
        return self.record.assessment.window

    @property
    def epsilon(self) -> float | None:
        """Return the chosen budget, epsilon or rho; None without noise."""
        return self.record.chosen

    @property
    def printed_choice(self) -> str:
        """Return the chosen budget as printed; "" if there is none."""
        return choice_of(self.record.assessment)

    @property
    def names(self) -> names_in_short.NamesInShort:
        """Return the short names of the tables."""
        return names_in_short.names_in_short(self.decision.release)

    @contextmanager
    def spoken(self) -> Iterator[None]:
        """Use the record's language and the name of its budget inside the block."""
        with speaking(self.words.language), counting(self.decision.release.counted_in):
            yield

    @property
    def noiseless(self) -> bool:
        """Return whether the release has no noise at all."""
        return self.decision.release.noise.absent

    @property
    def kind(self) -> str:
        """Return the kind of document: a record, or its public version."""
        return self.words("document", "kind" if self.record.public is None else "kind_public")

    @property
    def not_assessed(self) -> str:
        """Return the text for an empty field."""
        return self.words("summary", "not_assessed")

    @property
    def seconds(self) -> int:
        """Return the stated time as seconds since 1970, limited to the range of a PDF."""
        return max(0, min(int(self.record.time.timestamp()), LATEST))

    def date(self, text: str | None) -> str | None:
        """Return an ISO date in words; any other text unchanged."""
        parts = re.match(r"(\d{4})-(\d{2})-(\d{2})(?:T.*)?\Z", text or "")
        if not parts or not 1 <= int(parts[2]) <= 12:
            return text
        return self.words("document", "date", day=int(parts[3]), month=self.words("month", parts[2]), year=parts[1])


def content(record: Record) -> Content:
    """Return the content of the report on RECORD."""
    return Content(
        record=record,
        data=write(record),
        decision=record.planned,
        sentences=sentences(record),
        words=words(record.decision.language),
    )
