"""How reliably a changed record is found and a valid one accepted. Run: python -m benchmarks.reliability mutations |
valid

`mutations` changes single bytes of signed records, in the JSON, in a signature or in the PDF, and counts how many
verification refuses. `valid` signs records with five identities, one to three signers each, and counts how many pass.
One JSON line a result; docs/reliability.md holds the figures of the last long run.
"""

from __future__ import annotations

import argparse
import functools
import json
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

from dpwizard.base.resource_files import FOLDER
from dpwizard.decision import read_decision
from dpwizard.records import Stated
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


def signed_records(folder: Path, count: int, dice: random.Random) -> Iterator[Signed]:
    """Yield COUNT different records of the Durham decision in FOLDER, each signed by one to three identities."""
    raw = json.loads((FOLDER / "examples" / "durham.json").read_text("utf-8"))
    for number in range(count):
        changed = {
            **raw,
            "title": f"Record {number} · {dice.choice(['Größe', '数', 'plain'])}",
            "justification": "x " * dice.randrange(1, 400),
        }
        place = RecordFiles(folder=folder, name=f"record-{number}")
        stated = Stated(time=START + timedelta(minutes=number), source="signer")
        signers = dice.sample(identities(), dice.randint(1, 3))
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


def mutations(count: int, records: int, seed: int) -> Iterator[dict[str, Any]]:
    """Yield for each kind of file how many of COUNT // 3 changes were refused, and where the others were."""
    dice = random.Random(seed)
    with TemporaryDirectory() as name:
        folder = Path(name)
        trust = trusting(folder)
        made = tuple(signed_records(folder, records, dice))
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


def main() -> None:
    """Run what the command line asks for and print one JSON line a result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("mutations", "valid"))
    parser.add_argument("--count", type=int, help="changes in all (default 21,000), or valid records (default 1,000)")
    parser.add_argument("--records", type=int, default=50, help="signed records to change (default 50)")
    parser.add_argument("--seed", type=int, default=20_261_121)
    options = parser.parse_args()
    if options.what == "mutations":
        rows = mutations(options.count or 21_000, options.records, options.seed)
    else:
        rows = valid(options.count or 1_000, options.seed)
    with mock.patch.object(remaking, "remake_apart", remake):
        for row in rows:
            print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
