"""How reliably a changed record is found and a valid one accepted. Run: python -m tests.soak.reliability WHAT, one of
mutations, valid, kills, together.

`mutations` changes single bytes of signed records, in the JSON, in a signature or in the PDF, and counts how many
verification refuses. `valid` signs records with five identities, one to three signers each, and counts how many pass.
`kills` kills a process that signs at random moments, and `together` has two people sign one record at the same time;
both count the signatures that were reported and are not there, and records that are not as they were signed.
One JSON line a result; docs/reliability.md holds the figures of the last long run.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import json
import os
import random
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

from dpwizard.base.errors import DPWizardError
from dpwizard.base.resource_files import FOLDER
from dpwizard.decision import read_decision
from dpwizard.records import AssertedTime
from dpwizard.signing import RecordFiles, remaking, signing
from dpwizard.signing.findings import Verification
from dpwizard.signing.identity import Identity, create_identity, open_identity
from dpwizard.signing.verification import verify
from tests.samples.signed_record import remake

START = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
ROLES = ("proposes", "approves", "data_protection_officer")
KINDS = (".json", ".jws", ".pdf")


@dataclass(frozen=True, kw_only=True)
class Signed:
    """Where one record lies, and how many signed it."""

    place: RecordFiles
    signers: int


@functools.cache
def identities(count: int = 5) -> tuple[Identity, ...]:
    """Return COUNT new identities as the program makes them."""
    made = (
        create_identity(name=f"Signer {n}", passphrase="a passphrase for runs", now=START - timedelta(days=1))
        for n in range(count)
    )
    return tuple(open_identity(pkcs12=data, passphrase="a passphrase for runs") for data in made)


def trusting(folder: Path) -> Path:
    """Return a folder in FOLDER that holds the certificates of all identities."""
    place = folder / "trust"
    place.mkdir()
    for number, one in enumerate(identities()):
        (place / f"{number}.pem").write_bytes(one.certificate_pem())
    return place


def signed_records(folder: Path, count: int, dice: random.Random, least: int = 1) -> Iterator[Signed]:
    """Yield COUNT different records of the Durham decision in FOLDER, each signed by LEAST to three identities."""
    raw = json.loads((FOLDER / "examples" / "durham.json").read_text("utf-8"))
    for number in range(count):
        changed = {
            **raw,
            "title": f"Record {number} · {dice.choice(['Größe', '数', 'plain'])}",
            "justification": "x " * dice.randrange(1, 400),
        }
        place = RecordFiles(folder=folder, name=f"record-{number}")
        stated = AssertedTime(time=START + timedelta(minutes=number), source="signer")
        signers = dice.sample(identities(), dice.randint(least, 3))
        for who, role in zip(signers, ROLES, strict=False):
            request = signing.SigningRequest(identity=who, role=role, verdict="approve", comment="", stated=stated)
            if role == ROLES[0]:
                signing.sign_new(read_decision(changed), place, request)
            else:
                signing.sign_further(place, request)
        yield Signed(place=place, signers=len(signers))


def judged(one: Signed, trust: Path) -> Verification:
    """Return what verification finds of a record, thirty days later."""
    return verify(one.place, (trust,), START + timedelta(days=30))


def is_refused(one: Signed, kind: str, trust: Path, dice: random.Random) -> tuple[str, int, bool]:
    """Return which file of a KIND was changed in one byte, where, and whether the record is refused with it."""
    path = dice.choice([path for path in one.place.there if path.suffix == kind])
    content = path.read_bytes()
    changed, position = bytearray(content), dice.randrange(len(content))
    changed[position] ^= dice.randrange(1, 256)
    path.write_bytes(changed)
    found = judged(one, trust)
    path.write_bytes(content)
    return path.name, position, found.outcome == "failed" and not found.ok


def mutations(count: int, records: int, seed: int, least: int = 1) -> Iterator[dict[str, Any]]:
    """Yield for each kind of file how many of COUNT // 3 changes were refused, and where the others were."""
    dice = random.Random(seed)
    with TemporaryDirectory() as name:
        folder = Path(name)
        trust = trusting(folder)
        made = tuple(signed_records(folder, records, dice, least))
        for kind in KINDS:
            began, missed, tried = time.monotonic(), [], count // len(KINDS)
            for number in range(tried):
                file, position, refused = is_refused(made[number % len(made)], kind, trust, dice)
                if not refused:
                    missed.append({"file": file, "position": position})
            yield {
                "changed in": kind,
                "records": len(made),
                "changed": tried,
                "refused": tried - len(missed),
                "missed": missed,
                "seconds": round(time.monotonic() - began, 1),
            }


def valid(count: int, seed: int) -> Iterator[dict[str, Any]]:
    """Yield how many of COUNT valid records passed, by number of signers."""
    began, dice = time.monotonic(), random.Random(seed)
    rows = {signers: {"signers": signers, "records": 0, "passed": 0} for signers in (1, 2, 3)}
    with TemporaryDirectory() as name:
        trust = trusting(Path(name))
        for one in signed_records(Path(name), count, dice):
            rows[one.signers]["records"] += 1
            rows[one.signers]["passed"] += judged(one, trust).outcome == "passed"
    yield from rows.values()
    yield {"seconds": round(time.monotonic() - began, 1)}


def _signing_apart(place: RecordFiles, who: Identity) -> int:
    """Return the process in which WHO signs the record at PLACE; it ends with 0 once that is reported."""
    child = os.fork()
    if child == 0:
        status = 1
        with contextlib.suppress(DPWizardError):
            time_stated = AssertedTime(time=START + timedelta(days=1), source="signer")
            signing.sign_further(
                place,
                signing.SigningRequest(identity=who, role=ROLES[2], verdict="approve", comment="", stated=time_stated),
            )
            status = 0
        os._exit(status)
    return child


def _count_signatures(one: Signed, trust: Path) -> int:
    """Return how many signatures a record has; -1 where it is not as it was signed."""
    found = judged(one, trust)
    return len(found.signers) if found.ok else -1


def kills(count: int, seed: int) -> Iterator[dict[str, Any]]:
    """Yield what COUNT signers left behind who were killed at a random moment."""
    dice, row = random.Random(seed), {"kills": 0, "signed before": 0, "not signed": 0, "lost or broken": 0}
    with TemporaryDirectory() as name:
        trust = trusting(Path(name))
        for number in range(count):
            folder = Path(name) / str(number)
            folder.mkdir()
            (one,) = signed_records(folder, 1, random.Random(seed))
            before = _count_signatures(one, trust)
            began = time.monotonic()
            _, whole = os.waitpid(_signing_apart(one.place, identities()[4]), 0)
            took = time.monotonic() - began
            assert whole == 0
            child = _signing_apart(one.place, identities()[3])
            time.sleep(dice.uniform(0.0, took))
            os.kill(child, signal.SIGKILL)
            _, ended = os.waitpid(child, 0)
            after = _count_signatures(one, trust)
            row["kills"] += 1
            row["signed before"] += after == before + 2
            row["not signed"] += after == before + 1
            reported = os.WIFEXITED(ended) and os.WEXITSTATUS(ended) == 0
            row["lost or broken"] += after < before + 1 + reported
    yield row


def together(count: int, seed: int) -> Iterator[dict[str, Any]]:
    """Yield what came of COUNT signatures, two at the same time."""
    row = {"signatures": 0, "reported": 0, "there": 0, "lost or broken": 0}
    with TemporaryDirectory() as name:
        trust = trusting(Path(name))
        while row["signatures"] < count:
            folder = Path(name) / str(row["signatures"])
            folder.mkdir()
            (one,) = signed_records(folder, 1, random.Random(seed))
            for _ in range(4):
                before = _count_signatures(one, trust)
                children = [_signing_apart(one.place, who) for who in identities()[3:]]
                reported = sum(os.waitpid(child, 0)[1] == 0 for child in children)
                after = _count_signatures(one, trust)
                row["signatures"] += 2
                row["reported"] += reported
                row["there"] += max(after, before) - before
                row["lost or broken"] += after < before + reported
    yield row


def main() -> None:
    """Run what the command line asks for and print one JSON line a result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("mutations", "valid", "kills", "together"))
    parser.add_argument("--count", type=int, help="how many (default 21,000, 1,000, 100 or 200)")
    parser.add_argument("--records", type=int, default=50, help="signed records to change (default 50)")
    parser.add_argument("--least", type=int, default=1, help="signers of each record to change (default 1 to 3)")
    parser.add_argument("--seed", type=int, default=20_261_121)
    options = parser.parse_args()
    if options.what == "mutations":
        rows = mutations(options.count or 21_000, options.records, options.seed, options.least)
    elif options.what == "valid":
        rows = valid(options.count or 1_000, options.seed)
    elif options.what == "kills":
        rows = kills(options.count or 100, options.seed)
    else:
        rows = together(options.count or 200, options.seed)
    with mock.patch.object(remaking, "remake_here", remake):
        for row in rows:
            print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
