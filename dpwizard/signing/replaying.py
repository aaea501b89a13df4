"""Replays: one record, or an archive of them, solved again; and why a number differs, as far as it can be told."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from dpwizard import files, json_text
from dpwizard.errors import DPWizardError
from dpwizard.messages import NO_MESSAGE, Message, message
from dpwizard.records import Corrected, Difference, comparison, corrections, record
from dpwizard.signing import record_files
from dpwizard.signing.failures import any_failure_said_of
from dpwizard.signing.findings import Verification
from dpwizard.wording import explain

Kind = Literal["tampering", "version", "library", "platform", "method", "unreadable", "unknown"]
BROKEN = ("changed", "refused")  # verdicts on signatures that are there
UNKNOWN = message("unknown")
METHOD = re.compile(r"\$\.assessment\.(?:format|answers\[(\d+)\]\.(?:source|grounds|kind|assumptions))")


@dataclass(frozen=True, kw_only=True)
class Cause:
    """Why a replay differs, or may differ, in a word and in a sentence."""

    kind: Kind
    words: Message


@dataclass(frozen=True, kw_only=True)
class Replayed:
    """One record replayed: what differs, why, and what its signatures say."""

    record: str
    # corrected: only by limits that this program has corrected since
    verdict: Literal["same", "corrected", "differs", "unreadable"]
    # the verdict of the verification; "none" where no signature lies beside, "unreadable" where they cannot be judged
    signature: str
    program: str
    pdf: Literal["same", "other", "none"] = "none"  # whether the PDF beside it is what is typeset from the record now
    review: str = ""  # the date by which the decision is looked at again
    due: bool = False  # that date has come
    differences: tuple[Difference, ...] = ()
    causes: tuple[Cause, ...] = ()
    problem: Message = NO_MESSAGE
    corrected: Corrected = field(default_factory=Corrected)

    @property
    def sound(self) -> bool:
        """Return whether every number is met again and no signature beside the record is broken."""
        return self.verdict == "same" and self.signature not in BROKEN

    def told(self) -> tuple[str, ...]:
        """Return what was corrected since the record was made, in sentences; none where nothing was."""
        found = self.corrected
        if not found.corrections:
            return ()
        said = (explain.word("corrected", "heading"), *(one.words for one in found.corrections), found.place)
        return tuple(sentence for sentence in said if sentence)

    def as_plain(self) -> dict[str, Any]:
        names = ("record", "verdict", "signature", "pdf", "program", "review", "due", "differences")
        said = tuple(name for name in ("causes", "problem") if getattr(self, name))
        made = {name: getattr(self, name) for name in (*names, *said)}
        found = self.corrected
        return made | ({"corrections": found.corrections, "inside": found.inside} if found.corrections else {})


def replay_file(path: Path, now: datetime) -> Replayed:
    """Return the record at PATH solved again, its signatures judged at NOW; what cannot be read, the result says."""
    try:
        with any_failure_said_of(path):
            return _replayed(path, now)
    except DPWizardError as problem:
        return Replayed(
            record=str(path), verdict="unreadable", signature="unreadable", program="", problem=problem.whole
        )


def _replayed(path: Path, now: datetime) -> Replayed:
    found: Verification | None = None
    unreadable: tuple[Cause, ...] = ()
    try:
        found = _judged(path, now)
    except DPWizardError as problem:
        unreadable = (
            Cause(
                kind="unreadable",
                words=message("the signatures beside the record cannot be judged: {reason}", reason=problem.whole),
            ),
        )
    signature = "unreadable" if unreadable else "none" if found is None else found.verdict
    try:
        data = files.read_bytes(path)
        raw = json_text.parse(data)
        differences = comparison.replay(raw)
    except DPWizardError as problem:
        return Replayed(
            record=str(path),
            verdict="unreadable",
            signature=signature,
            program="",
            causes=unreadable,
            problem=problem.whole,
        )
    program = _text(raw, "program", "version")
    corrected = corrections.judged(raw, differences) if differences else Corrected()
    broken = bool(unreadable) or (found is not None and not found.ok)
    causes = _causes(raw, differences, found, unreadable) if differences else (*_tampering(found), *unreadable)
    verdict: Literal["same", "corrected", "differs"] = "same"
    if differences:  # what somebody may have changed is not called corrected
        verdict = "corrected" if corrected.whole and not broken else "differs"
    review = _text(raw["decision"], "details", "review_date")
    return Replayed(
        record=str(path),
        verdict=verdict,
        signature=signature,
        program=program,
        pdf=_pdf(path, data),
        review=review,
        due=_has_come(review, now),
        differences=differences,
        causes=causes,
        corrected=corrected,
    )


def _has_come(date: str, now: datetime) -> bool:
    """Return whether a DATE, if it is one as year-month-day, is NOW or past; what is not such a date is never due."""
    return re.fullmatch(r"\d{4}-\d{2}-\d{2}", date) is not None and date <= now.date().isoformat()


def _pdf(path: Path, data: bytes) -> Literal["same", "other", "none"]:
    beside = record_files.RecordFiles.beside(path).pdf
    try:
        if not files.is_file(beside):
            return "none"
        return "same" if record_files.is_typeset_from(data, files.read_bytes(beside), path.name) else "other"
    except DPWizardError:
        return "none"


def replay_all(
    folder: Path, now: datetime, progress: Callable[[int, int, Path], None] = lambda *_: None
) -> Iterator[Replayed]:
    """Yield every record under FOLDER solved again; PROGRESS is told how many are done, of how many, and the next."""
    paths = find_records(folder)
    for number, path in enumerate(paths):
        progress(number, len(paths), path)
        yield replay_file(path, now)


def find_records(folder: Path) -> tuple[Path, ...]:
    """Return the records under FOLDER by name: JSON that says it is one, even cut off, or beside signatures."""
    return tuple(path for path in sorted(folder.rglob("*.json")) if path.is_file() and _may_be_record(path))


def _may_be_record(path: Path) -> bool:
    if files.is_there(record_files.RecordFiles.beside(path).jws):
        return True
    try:
        data = files.read_bytes(path)
    except DPWizardError:
        return False
    try:
        return record.is_record(json.loads(data))
    except (ValueError, RecursionError):
        return b"dpwizard.record/" in data


def _judged(path: Path, now: datetime) -> Verification | None:
    """Return what the signatures beside PATH say, None without any; raises where they or their files are unreadable."""
    target = record_files.RecordFiles.beside(path)
    return record_files.verify(target, (), now) if files.is_there(target.jws) else None


def _causes(
    raw: dict[str, Any], differences: tuple[Difference, ...], found: Verification | None, unreadable: tuple[Cause, ...]
) -> tuple[Cause, ...]:
    """Return what may have made the differences, the surest first."""
    made = [*_tampering(found), *unreadable, *_methods(differences), *_programs(raw)]
    if not made:
        words = (
            message("program, libraries and platform are those of the record and its signatures hold: please report it")
            if found is not None and found.ok
            else message("no signature lies beside the record, so that a change of it cannot be ruled out")
        )
        made = [Cause(kind="unknown", words=words)]
    return tuple(made)


def _tampering(found: Verification | None) -> Iterator[Cause]:
    if found is not None and not found.ok:
        yield Cause(kind="tampering", words=message("the signatures do not hold: {sentence}", sentence=found.sentence))


def _methods(differences: tuple[Difference, ...]) -> Iterator[Cause]:
    for difference in differences:
        if match := METHOD.match(difference.where):
            of = message("requirement {number}", number=int(match[1]) + 1) if match[1] else message("the assessment")
            words = message(
                "the method of {what} changed: then {then}, now {now}",
                what=of,
                then=_shown(difference.recorded),
                now=_shown(difference.replayed),
            )
            yield Cause(kind="method", words=words)


def _programs(raw: dict[str, Any]) -> Iterator[Cause]:
    here, there = record.program(), raw.get("program")
    then = _text(raw, "program", "version")
    if then != here["version"]:
        yield Cause(
            kind="version",
            words=message(
                "made by version {then} of this program; this is {now}",
                then=then or message("unknown"),
                now=here["version"],
            ),
        )
    libraries = there.get("libraries") if isinstance(there, dict) else None
    for name, version in here["libraries"].items():
        recorded = libraries.get(name) if isinstance(libraries, dict) else None
        if recorded != version:
            yield Cause(
                kind="library",
                words=message(
                    "solved with {name} {then}; here it is {now}", name=name, then=_shown(recorded), now=version
                ),
            )
    for name, value in record.platform_here().items():
        recorded = _text(raw, "platform", name)
        if recorded != value:
            yield Cause(
                kind="platform",
                words=message("made on {name} {then}; this is {now}", name=name, then=recorded or UNKNOWN, now=value),
            )


def _text(raw: dict[str, Any], block: str, name: str) -> str:
    found = raw.get(block)
    value = found.get(name) if isinstance(found, dict) else None
    return "" if value is None else str(value)


def _shown(value: Any) -> str:
    text = "nothing" if value is None else str(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
