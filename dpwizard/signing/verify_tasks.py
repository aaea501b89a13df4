"""What is asked of records, as tasks to be done apart: each is told by what to tell how far it is."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from dpwizard.base.apart import Tell
from dpwizard.decision import Decision

if TYPE_CHECKING:
    from dpwizard.records import PolicyFile
    from dpwizard.signing.earlier_records import Chosen
    from dpwizard.signing.findings import Verification
    from dpwizard.signing.replaying import Replayed


def verified(
    tell: Tell, path: Path, places: tuple[Path, ...], now: datetime, policy: PolicyFile | None, log: Path | None
) -> Verification:
    """Return what `verification.verify` finds of the record that PATH belongs to."""
    from dpwizard.signing.store import RecordFiles
    from dpwizard.signing.verification import verify

    return verify(RecordFiles.beside(path), places, now, policy, log)


def archive_replayed(tell: Tell, folder: Path, now: datetime) -> tuple[Replayed, ...]:
    """Return what `replaying.replay_all` finds; TELL is told how many are done, of how many, and the next name."""
    from dpwizard.signing.replaying import replay_all

    return tuple(replay_all(folder, now, lambda done, of, path: tell((done, of, path.name))))


def earlier_chosen(
    tell: Tell, paths: Sequence[Path], now: datetime, places: tuple[Path, ...], into: Decision
) -> list[Chosen]:
    """Return what `earlier_records.choose` finds of each record PATHS belong to; TELL is told each name."""
    from dpwizard.signing import earlier_records

    found = []
    for path in paths:
        tell(path.name)
        found.append(earlier_records.choose(path, now, places, into))
    return found
