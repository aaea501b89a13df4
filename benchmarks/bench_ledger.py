"""The office's ledger of a thousand records: how soon something is seen, when all is read, and when all is judged."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

from benchmarks.timing import ROOT, Measured, Row, median
from dpwizard.decision import edits, read_decision
from dpwizard.records import AssertedTime, ledger_of
from dpwizard.signing import RecordFiles, signing
from dpwizard.signing.bounded import READING, Bounded
from dpwizard.signing.identity import create_identity, open_identity
from dpwizard.signing.record_folder import READ, FolderScan, Rows, survey

RECORDS, SIGNED, JUDGED = 1_000, 4, 40
TITLE = "The office’s ledger"
INTRODUCTION = (
    f"{RECORDS:,} records, each in its own folder with its PDF and its signatures: the Durham example, "
    f"signed {SIGNED} times under different titles and copied {RECORDS // SIGNED} times. A copy is read "
    f"and verified like any other record; {JUDGED} of them are verified here. The window shows every third of a "
    "second what has been read. The loss of a record is computed from its decision, and a hostile one may take "
    "forever. So processes with limits of time and memory do this, one for each processor. Each loads the model of "
    "decisions before it reads, which is a large part of the time for a thousand records. Reading in the window "
    "would avoid that, but one record could stop it."
)
EXAMPLE = ROOT / "resources" / "examples" / "durham.json"
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
TODAY = date(2026, 11, 21)
PASSPHRASE = "nine blue herons"


def run() -> Iterator[Row]:
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # else each process that is started compiles the program anew
    yield Row(what="a process with bounds started, and its first record read", seconds=median(_started, 5))
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        _fill(folder)
        read, first = _read(folder)
        yield Row(what=f"{RECORDS:,} records found, the first of them read", seconds=first, goal=1.0)
        note = "processor: of all three processes"
        yield Row(what=f"{RECORDS:,} records read, before any is verified", seconds=read, goal=1.0, note=note)
        entries = _last(folder).entries
        yield Row(
            what=f"ledger of {RECORDS:,} records, standing and totals",
            seconds=median(lambda: ledger_of(entries, today=TODAY, delta=1e-6)),
        )
        yield Row(what="one record verified", seconds=_judged(folder), note="its PDF is typeset again and compared")


def _started() -> None:
    with Bounded(READING) as process:
        process.do(Rows, READ, EXAMPLE.parent, EXAMPLE)


def _fill(folder: Path) -> None:
    stored = create_identity(name="A. Officer", passphrase=PASSPHRASE, now=NOW)
    identity = open_identity(pkcs12=stored, passphrase=PASSPHRASE)
    decision = read_decision(json.loads(EXAMPLE.read_text("utf-8")))
    stated = AssertedTime(time=NOW, source="signer")
    signature = signing.SigningRequest(identity=identity, role="proposes", verdict="approve", comment="", stated=stated)
    for number in range(SIGNED):
        place = RecordFiles.beside(folder / f"{number:04d}" / "r")
        signing.sign_new(edits.put(decision, "$.title", f"Deaths, part {number}"), place, signature)
    for number in range(SIGNED, RECORDS):
        shutil.copytree(folder / f"{number % SIGNED:04d}", folder / f"{number:04d}")


def _read(folder: Path) -> tuple[Measured, float]:
    """Return how long it takes to read all, with the processor's time of all processes, and to the first that is read:
    medians of five."""
    took = []
    for _ in range(5):
        start, first, before = time.perf_counter(), 0.0, os.times()
        for step in survey(folder, NOW, judge=False):
            if step.entries and not first:
                first = time.perf_counter() - start
        spent = sum(os.times()[:4]) - sum(before[:4])
        took.append((time.perf_counter() - start, first, spent))
    whole, firsts, processor = (sorted(each)[2] for each in zip(*took, strict=True))
    return Measured.of(whole, processor), firsts


def _last(folder: Path) -> FolderScan:
    *_, last = survey(folder, NOW, judge=False)
    return last


def _judged(folder: Path) -> float:
    """Return how long judging one of them takes, on average over JUDGED."""
    begun = 0.0
    for step in survey(folder, NOW):
        if step.doing == "judge" and not step.done:
            begun = time.perf_counter()
        if step.doing == "judge" and step.done == JUDGED:
            break
    return (time.perf_counter() - begun) / JUDGED
