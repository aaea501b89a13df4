"""What is lost when the program is killed. Run: python -m tests.soak.crashes --kills 200 --seed 20261121

A scripted officer works at the real window, off screen (tests.soak.crash_session). The process is killed with SIGKILL
at a random moment; every file it left is judged; the window is opened again, recovery accepted, and what came back is
looked up among the states the officer had reached. One JSON line for each kill, then the sum; docs/reliability.md holds
the last run.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from dpwizard.base.errors import DPWizardError
from dpwizard.base.resource_files import FOLDER
from dpwizard.projects import project
from dpwizard.signing import RecordFiles, verification
from dpwizard.signing.identity import create_identity
from tests.soak.crash_session import PASSPHRASE

ALLOWED = 1.0  # seconds of edits that may be lost
LONGEST = 6.0  # seconds of work before a kill
PATIENCE = 120.0


def prepared(folder: Path) -> None:
    """Put into FOLDER a project and an identity to sign it with."""
    shutil.copyfile(FOLDER / "examples" / "durham.json", folder / "project.json")
    (folder / "identity.p12").write_bytes(
        create_identity(name="Crash", passphrase=PASSPHRASE, now=datetime.now(UTC) - timedelta(days=1))
    )


def started(*arguments: str) -> subprocess.Popen[bytes]:
    """Return the other side, begun."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-m", "tests.soak.crash_session", *arguments]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment, cwd=FOLDER.parent
    )


def killed(folder: Path, seed: int, after: float) -> tuple[list[dict[str, Any]], float]:
    """Let an officer work in FOLDER and kill the program AFTER seconds; return what was told, and when it was
    killed."""
    process = started(str(folder), str(seed))
    told: list[dict[str, Any]] = []
    ready = threading.Event()

    def listen() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            try:
                told.append(json.loads(line))
            except ValueError:
                continue  # cut off by the kill
            if told[-1].get("ready"):
                ready.set()

    ear = threading.Thread(target=listen, daemon=True)
    ear.start()
    if not ready.wait(PATIENCE):
        process.kill()
        raise RuntimeError(f"the window did not open; run: python -m tests.soak.crash_session {folder} {seed}")
    time.sleep(after)
    moment = time.monotonic()
    process.send_signal(signal.SIGKILL)
    process.wait()
    ear.join(PATIENCE)
    if process.stdout is not None:
        process.stdout.close()
    return told, moment


def corrupt(folder: Path) -> list[str]:
    """Return the files in FOLDER that are neither whole nor what a reader passes over."""
    wrong = []
    for path in sorted(folder.glob("*.json")):
        try:
            project.read_project(path)
        except DPWizardError as problem:
            wrong.append(f"{path.name}: {problem.message}")
    for path in sorted(folder.glob("*.json.jws")):
        found = verification.verify(RecordFiles.beside(path), (), datetime.now(UTC))
        if not found.ok:
            wrong.append(f"{path.name}: {found.sentence}")
    return wrong


def returned(told: list[dict[str, Any]]) -> dict[str, Any]:
    """Return what a window that was opened again told of what came back."""
    found = next((line for line in told if "recovered" in line), {"recovered": None})
    return {**found, "offered": any("offered" in line for line in told)}


def judged(told: list[dict[str, Any]], moment: float, found: dict[str, Any]) -> dict[str, Any]:
    """Return how many seconds of edits were lost, and what the officer was doing."""
    states = [(line["at"], line["state"]) for line in told if "state" in line]
    does = [line["does"] for line in told if "does" in line]
    held = [at for at, (_, state) in enumerate(states) if state == found["recovered"]]
    lost = 0.0
    if held and held[-1] + 1 < len(states):
        lost = moment - states[held[-1] + 1][0]  # since the first edit that did not come back
    return {
        "doing": does[-1] if does else "nothing",
        "states": len(states),
        "known": bool(held),
        "lost_seconds": round(lost, 3),
        "lost_edits": len(states) - 1 - held[-1] if held else None,
        "signed": sum("signed" in line for line in told),
        "not_signed": sorted({line["unsigned"] for line in told if "unsigned" in line}),
        "offered": found.get("offered", False),
        "saved": found.get("saved", False),
    }


def crashes(kills: int, seed: int) -> Iterator[dict[str, Any]]:
    """Yield the outcome of each of KILLS. Every session begins where the one before was killed."""
    dice = random.Random(seed)
    folder = Path(tempfile.mkdtemp(prefix="crashes-"))
    before: tuple[list[dict[str, Any]], float, list[str]] | None = None
    try:
        prepared(folder)
        for number in range(kills + 1):
            told, moment = killed(folder, dice.randrange(2**31), dice.uniform(0.1, LONGEST) if number < kills else 0.0)
            if before is not None:
                yield {"kill": number - 1, **judged(before[0], before[1], returned(told)), "corrupt": before[2]}
            before = told, moment, corrupt(folder)
            for path in folder.glob("record-*"):
                path.unlink()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def total(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the sum over all kills."""
    lost = sorted(row["lost_seconds"] for row in rows)
    return {
        "kills": len(rows),
        "recovered_a_state_the_officer_had_reached": sum(row["known"] for row in rows),
        "recovery_offered": sum(row["offered"] for row in rows),
        "records_signed": sum(row["signed"] for row in rows),
        "corrupt_files": sum(len(row["corrupt"]) for row in rows),
        "lost_seconds": {"median": lost[len(lost) // 2], "largest": lost[-1]},
        "lost_more_than_a_second": sum(second > ALLOWED for second in lost),
        "killed_while": {
            name: sum(row["doing"] == name for row in rows) for name in sorted({row["doing"] for row in rows})
        },
    }


def main() -> None:
    """Print one JSON line for each kill, and the sum."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=20_261_121)
    options = parser.parse_args()
    rows = []
    for row in crashes(options.kills, options.seed):
        rows.append(row)
        print(json.dumps(row), flush=True)
    program = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:8]
    print(json.dumps({"sum": total(rows), "seed": options.seed, "script": program}))


if __name__ == "__main__":
    main()
