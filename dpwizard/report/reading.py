"""A decision record as the report reads it: typed, checked, and tolerant of fields that a later version adds."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from pydantic import ConfigDict, Field

from dpwizard.decision import Decision, read_decision
from dpwizard.errors import InvalidInput
from dpwizard.language import counting, speaking
from dpwizard.messages import message
from dpwizard.privacy.mechanisms import EXACT
from dpwizard.records import DOCUMENT, read_record
from dpwizard.report import versions
from dpwizard.report.phrases import Words, words
from dpwizard.values import Value, plain, read

Texts = tuple[str, ...]
Number = float | None
LATEST = 253402300799  # the last second of the year 9999: what the calendar of a PDF can say


class Recorded(Value):
    """A value of a record; fields this version does not know are passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True, allow_inf_nan=False)


class RecordedAnswer(Recorded):
    """What one requirement said when the record was made."""

    kind: str
    name: str | None = None
    enabled: bool = True
    status: str
    side: str
    epsilon: Number = None
    error: float = 0.0
    binding: Mapping[str, Any] = {}
    attained: bool | None = None
    unique: bool | None = None
    grounds: str | None = None  # of an answer that claims nothing
    source: str = ""
    as_published: Mapping[str, Any] | None = None
    at_epsilon: Mapping[str, Any] = {}
    met: bool | None = None
    validity: Texts = ()  # the checks passed
    withheld: bool = False  # a public edition leaves it out


class RecordedWindow(Recorded):
    lower: float = 0.0
    upper: Number = None
    binds_lower: int | None = Field(default=None, ge=0)
    binds_upper: int | None = Field(default=None, ge=0)
    empty: bool = False
    touching: bool = False
    complete: bool = False
    conflict: tuple[int, ...] = ()
    withheld: bool = False


class Problem(Recorded):
    where: str = ""
    key: str = ""
    with_: Mapping[str, Any] = Field(default={}, alias="with")


class Conversion(Recorded):
    rule: str
    epsilon: Number = None


class ToldCost(Recorded):
    """What the release costs in all, as an assessment says it; older ones do not."""

    rho: Number = None
    mu: Number = None
    delta: Number = None
    epsilon: Number = None
    conversions: tuple[Conversion, ...] = ()
    by_attribute: Mapping[str, ToldCost] = {}
    within_level: Mapping[str, ToldCost] = {}
    per_person: ToldCost | None = None


class RecordedAssessment(Recorded):
    answers: tuple[RecordedAnswer, ...]
    window: RecordedWindow
    epsilon: Number = None
    inside: bool | None = None
    problems: tuple[Problem, ...] = ()
    accounting: ToldCost = ToldCost()


class SaidOfAnswer(Recorded):
    title: str = ""
    bound: str = ""
    why: str = ""
    at_epsilon: str = ""


class Said(Recorded):
    """The sentences of the record, word for word."""

    language: str = "en"
    window: str = ""
    position: str = ""
    broken: Texts = ()
    answers: tuple[SaidOfAnswer, ...]
    assumptions: Texts = ()
    limits: Texts = ()
    meaning: Texts = ()
    person: str = ""  # what one person may lose over all the units that they are


class Made(Recorded):
    time: str
    time_source: str = ""


class Program(Recorded):
    name: str = "dpwizard"
    version: str = ""
    libraries: Mapping[str, str] = {}


class Accounting(Recorded):
    rule: str = "basic"
    epsilon_per_repetition: Number = None
    repetitions: int = 1
    epsilon_all_repetitions: Number = None
    spent_before: Number = None
    epsilon_in_all: Number = None
    delta_in_all: Number = None
    delta_spent_before: Number = None


class Implementation(Recorded):
    part: str | None = None
    mechanism: str
    sensitivity: Number = None
    epsilon: Number = None
    scale: Number = None
    alpha: Number = None
    library_call: str | None = None


class Ends(Recorded):
    lower: float = 0.0
    upper: Number = None
    empty: bool = False


class Moved(Recorded):
    """One number of the decision, a tenth less and a tenth more, and the window each leaves."""

    where: str
    value: float
    down: Ends | None = None
    up: Ends | None = None
    swing: Number = None  # None: the window opens or closes


class Influence(Recorded):
    share: float = 0.1
    moved: int = 0
    of: int = 0
    rows: tuple[Moved, ...] = ()


class LeftOut(Recorded):
    where: str
    what: str = ""


class Policy(Recorded):
    name: str = ""
    sha256: str = ""
    roles: tuple[str, ...] = ()


class Record(Recorded):
    format: str
    document: int | None = None  # the version of its pages; None: of before they had any
    edition: str = "internal"
    internal_sha256: str | None = None
    salt: str | None = None  # of an internal record, so that its hash tells nothing; None: of before it had one
    left_out: tuple[LeftOut, ...] = ()
    policy: Policy | None = None
    influence: Influence | None = None
    made: Made
    program: Program = Program()
    platform: Mapping[str, str] = {}
    tolerance: Number = None
    assessment: RecordedAssessment
    accounting: Accounting = Accounting()
    implementation: tuple[Implementation, ...] = ()
    sentences: Said


@dataclass(frozen=True, kw_only=True)
class Content:
    """Everything a report says, read once: the record, its decision, its words and its file's name and hash."""

    record: Record
    decision: Decision
    words: Words
    name: str  # NAME.json
    sha256: str | None

    @property
    def answers(self) -> tuple[RecordedAnswer, ...]:
        return self.record.assessment.answers

    @property
    def said(self) -> Said:
        return self.record.sentences

    @property
    def window(self) -> RecordedWindow:
        return self.record.assessment.window

    @property
    def epsilon(self) -> float | None:
        """Return the budget the record states; None where the release has no noise, and so no budget."""
        if self.decision.release.counted_in == "rho":
            return self.decision.chosen
        return None if self.noiseless else self.record.assessment.epsilon

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
    def no_epsilon(self) -> str:
        """Return what stands in place of epsilon: that none is needed without noise, or none is chosen yet."""
        if self.noiseless:
            return self.words.of_model("mechanism", EXACT.name)
        return self.words("summary", "not_chosen_note")

    @property
    def version(self) -> int:
        """Return the version of the document that is made: the record's own where it is known, else today's.

        A record of before documents had versions is compared with the pages that are most like its own.
        """
        stated = self.record.document
        if stated is None:
            return versions.UNSTATED
        return stated if stated in versions.TYPESETTERS else DOCUMENT

    @property
    def public(self) -> bool:
        """Return whether this is the edition that leaves out what the officer marked."""
        return self.record.edition == "public"

    def withheld(self, where: str) -> bool:
        """Return whether what stands at WHERE is left out of this edition."""
        return any(
            where == item.where or where.startswith((f"{item.where}.", f"{item.where}["))
            for item in self.record.left_out
        )

    def absent(self, where: str) -> str:
        """Return what is printed where nothing stands at WHERE: that it is left out, or that it was not assessed."""
        return self.words("edition", "withheld") if self.withheld(where) else self.words("summary", "not_assessed")

    @property
    def stem(self) -> str:
        """Return NAME: what the record's files are called without their endings."""
        return self.name.removesuffix(".json")

    @property
    def seconds(self) -> int:
        """Return the stated time as seconds since 1970, kept within what a PDF can say."""
        return max(0, min(int(self.time.timestamp()), LATEST)) if self.time else 0

    @property
    def time(self) -> datetime | None:
        """Return the stated time in UTC; None where the record states none that can be read."""
        try:
            found = datetime.fromisoformat(self.record.made.time)
            return found.replace(tzinfo=found.tzinfo or UTC).astimezone(UTC)
        except (ValueError, OverflowError):
            return None

    def date(self, text: str | None) -> str | None:
        """Return an ISO date as people write it; any other text as it was typed."""
        found = re.match(r"(\d{4})-(\d{2})-(\d{2})(?:T.*)?\Z", text or "")
        if not found or not 1 <= int(found[2]) <= 12:
            return text
        return self.words("document", "date", day=int(found[3]), month=self.words("month", found[2]), year=found[1])


def _of_rho(raw: dict[str, Any]) -> dict[str, Any]:
    """Return a record counted in rho with its budgets where those of others are: whatever is said calls them rho."""
    assessment, accounting = raw["assessment"], raw.get("accounting", {})
    made = {**assessment, "window": {**assessment.get("window", {}), **(assessment.get("window", {}).get("rho") or {})}}
    made["answers"] = [_renamed(answer) for answer in assessment.get("answers", ())]
    return {
        **raw,
        "assessment": made,
        "accounting": {name.replace("rho_", "epsilon_"): value for name, value in accounting.items()},
        "implementation": [_renamed(row) for row in raw.get("implementation", ())],
    }


def _renamed(found: Any) -> Any:
    return {**found, "epsilon": found.get("rho")} if isinstance(found, dict) else found


def content(raw: Any, json_bytes: bytes | None, name: str) -> Content:
    """Return what a record says, checked; raises InvalidInput naming what is missing or not what it should be."""
    raw = plain(read_record(raw))  # as its file says it: what is unbounded is null
    decision = read_decision(raw["decision"], "$.decision").planned
    if decision.release.counted_in == "rho":
        raw = _of_rho(raw)
    record: Record = read(Record, raw, "$")
    count = len(decision.requirements)
    for where, found in (
        ("assessment.answers", record.assessment.answers),
        ("sentences.answers", record.sentences.answers),
    ):
        if len(found) != count:
            wrong = message("holds {found} entries for {count} requirements", found=len(found), count=count)
            raise InvalidInput(wrong, f"$.{where}", "The record is damaged; ask for the original.")
    window = record.assessment.window
    for where, position in (
        ("binds_lower", window.binds_lower),
        ("binds_upper", window.binds_upper),
        *(("conflict", i) for i in window.conflict),
    ):
        if position is not None and not 0 <= position < count:
            raise InvalidInput(
                "names no requirement", f"$.assessment.window.{where}", "The record is damaged; ask for the original."
            )
    return Content(
        record=record,
        decision=decision,
        words=words(decision.language),
        name=name if name.endswith(".json") else f"{name}.json",
        sha256=None if json_bytes is None else hashlib.sha256(json_bytes).hexdigest(),
    )
