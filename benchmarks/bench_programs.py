"""The command line from outside: a fresh process each time; and signing, verifying and typesetting."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.timing import ROOT, Row, median, median_program
from dpwizard.decision import read_decision
from dpwizard.records import AssertedTime, make, recompute, write
from dpwizard.report import document as report
from dpwizard.signing import RecordFiles, signing, verification
from dpwizard.signing.identity import create_identity, open_identity

TITLE = "Command line, records and signatures"
INTRODUCTION = (
    "The first rows start a fresh process each time (imports included); the others run in one warm process "
    "on the Durham example."
)
EXAMPLE = ROOT / "resources" / "examples" / "durham.json"
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
PASSPHRASE = "nine blue herons"


def run() -> Iterator[Row]:
    yield Row(what="main.py --help", seconds=median_program("--help"))
    line = json.dumps(
        {"id": 1, "fn": "accuracy.noise", "args": {"mechanism": "geometric", "epsilon": 1, "sensitivity": 1}}
    )
    yield Row(what="main.py compute, one line", seconds=median_program("compute", "-", text=line))
    yield Row(what="main.py solve, the Durham example", seconds=median_program("solve", str(EXAMPLE)))
    yield Row(what="main.py report, the Durham example as text", seconds=median_program("report", str(EXAMPLE)))
    yield from records()


def records() -> Iterator[Row]:
    decision = read_decision(json.loads(EXAMPLE.read_text("utf-8")))
    stated = AssertedTime(time=NOW, source="signer")
    made = make(decision, stated, name="durham")
    yield Row(
        what="record made and written as bytes", seconds=median(lambda: write(make(decision, stated, name="durham")))
    )
    yield Row(what="record made again and compared", seconds=median(lambda: recompute(made)))
    yield Row(what="report typeset as PDF/A", seconds=median(lambda: report.typeset(made), 5), goal=2.0)
    yield Row(
        what="identity made",
        seconds=median(lambda: create_identity(name="A. Officer", passphrase=PASSPHRASE, now=NOW), 3),
        note="slow by design: the passphrase is stretched",
    )
    stored = create_identity(name="A. Officer", passphrase=PASSPHRASE, now=NOW)
    yield Row(
        what="identity opened",
        seconds=median(lambda: open_identity(pkcs12=stored, passphrase=PASSPHRASE), 3),
        note="slow by design",
    )
    identity = open_identity(pkcs12=stored, passphrase=PASSPHRASE)
    with tempfile.TemporaryDirectory() as folder:
        signature = signing.SigningRequest(
            identity=identity, role="proposes", verdict="none", comment="", stated=stated
        )
        count = iter(range(1_000_000))

        def sign() -> RecordFiles:
            target = RecordFiles.beside(Path(folder) / f"record-{next(count)}")
            signing.sign_new(decision, target, signature)
            return target

        signed = sign()
        words = "record solved, typeset, signed (JSON and PDF), checked and written"
        yield Row(what=words, seconds=median(sign, 5))
        yield Row(what="record verified", seconds=median(lambda: verification.verify(signed, (), NOW), 5))
        raw = json.loads(EXAMPLE.read_text("utf-8"))
        raw["requirements"] = [{**raw["requirements"][at % 3], "name": f"Requirement {at}"} for at in range(10)]
        decision = read_decision(raw)
        signed = sign()
        yield Row(what=f"{words}, of ten requirements", seconds=median(sign, 5), goal=3.0)
        yield Row(
            what="record of ten requirements verified",
            seconds=median(lambda: verification.verify(signed, (), NOW), 5),
            goal=1.0,
        )
