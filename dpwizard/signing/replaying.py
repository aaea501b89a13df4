"""An archive of records, each verified: whether its numbers still follow from its decision, and when it is reviewed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Literal

from dpwizard import records
from dpwizard.base import files
from dpwizard.base.errors import DPWizardError
from dpwizard.base.messages import NO_MESSAGE, Message
from dpwizard.base.values import ReplayDifference, Sentence, Value
from dpwizard.base.worker import Progress
from dpwizard.signing import office, store
from dpwizard.signing.bounded import Bounded, crew, each
from dpwizard.signing.findings import Verification
from dpwizard.signing.store import RecordFiles
from dpwizard.signing.verification import verify

REPLAY = "dpwizard.signing.replaying:replayed"


class Replayed(Value):
    """One record solved again: whether its numbers are met, what its signatures say, and when it is reviewed."""

    record: str
    verdict: Literal["same", "differs", "unreadable"]
    signature: str  # the verdict of the verification
    pdf: Literal["same", "other", "none"]
    review: str = ""  # the date by which the decision is looked at again
    due: bool = False  # that date has come
    differences: tuple[ReplayDifference, ...] = ()
    why: Sentence = NO_MESSAGE  # what speaks against it, or could not be checked

    @property
    def sound(self) -> bool:
        """Return whether every number is met again and its signatures, if any, hold."""
        return self.verdict == "same" and self.signature not in ("changed", "refused")


def replay_file(path: Path, now: datetime) -> Replayed:
    """Return the record at PATH solved again and judged at NOW; what cannot be read, the result says."""
    try:
        with Bounded() as process:
            return process.do(Replayed, REPLAY, path, now)
    except DPWizardError as problem:
        return _unreadable(path, problem.whole)


def _unreadable(path: Path, why: Message) -> Replayed:
    return Replayed(record=str(path), verdict="unreadable", signature="unreadable", pdf="none", why=why)


def replayed(path: Path, now: datetime) -> Replayed:
    """Return the record that PATH belongs to, solved again and judged at NOW; raises what `verify` raises."""
    place = RecordFiles.beside(path)
    verification = verify(place, office.trust_places(), now)
    first = {finding.check: finding for finding in reversed(verification.findings)}
    numbers, pdf = first.get("numbers"), first.get("pdf")
    review = _review_date(place)
    return Replayed(
        record=str(path),
        verdict="unreadable" if numbers is None else "same" if numbers.ok else "differs",
        signature=verification.verdict,
        pdf="none" if pdf is None or not files.may_be_there(place.pdf) else "same" if pdf.ok else "other",
        review=review,
        due=records.is_day(review) and review <= now.date().isoformat(),
        differences=verification.differences,
        why=_why(verification),
    )


def _why(verification: Verification) -> Message:
    failed = [finding.why for finding in verification.findings if finding.ok is False]
    not_made = [finding.why for finding in verification.findings if finding.ok is None and finding.check == "pages"]
    return next(iter(failed + not_made), NO_MESSAGE)


def _review_date(place: RecordFiles) -> str:
    try:
        return records.read(store.read(place.json) or b"").decision.details.review_date or ""
    except DPWizardError:
        return ""


def replay_all(progress: Progress, folder: Path, now: datetime) -> Iterator[Replayed]:
    """Yield every record under FOLDER, recalculated, and every file or folder that cannot be read.

    PROGRESS gets the number done, the number in all, and the next path. Raises what `store.records_in` raises.
    """
    candidates = {path: why for path, why in store.records_in(folder).items() if why or _may_be_record(path)}
    with crew() as processes:
        done = each(processes, Replayed, REPLAY, ((path, now) for path, why in candidates.items() if not why))
        for number, (path, why) in enumerate(candidates.items()):
            progress((number, len(candidates), path))
            result = None if why else next(done)
            yield result if isinstance(result, Replayed) else _unreadable(path, why if result is None else result.whole)


def all_replayed(progress: Progress, folder: Path, now: datetime) -> tuple[Replayed, ...]:
    """Return all that `replay_all` yields."""
    return tuple(replay_all(progress, folder, now))


def _may_be_record(path: Path) -> bool:
    """Return whether the JSON at PATH says it is a record, even cut off, lies beside signatures, or cannot be read."""
    try:
        return RecordFiles.beside(path).is_signed or store.SAYS_SO in (store.read(path) or b"")
    except DPWizardError:
        return True
