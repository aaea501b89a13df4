"""How reliably a changed record is found and a valid one accepted. Run: python -m benchmarks.reliability mutations |
valid

`mutations` changes single bytes of signed records and counts how many verification finds: in the PDF alone (half of
them in the digits of its signatures, padding included), in JSON and signature file alone, and in the three together.
`valid` signs records with five identities, one to three signers each, and counts how many are called unchanged. One
JSON line a result; docs/reliability.md holds the figures of the last long run.
"""

from __future__ import annotations

import argparse
import functools
import json
import random
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from dpwizard.decision import assess, read_decision
from dpwizard.records import record
from dpwizard.report import document as report
from dpwizard.resource_files import FOLDER
from dpwizard.signing.identity import Identity, create_identity, open_identity
from dpwizard.signing.signing import sign_record, verify_record

START = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
ROLES = ("proposes", "approves", "data_protection_officer")
MEMBERS = ("pdf", "json and jws", "together")


@dataclass(frozen=True)
class Signed:
    """The three files of one record, and how many signed it."""

    json: bytes
    pdf: bytes
    jws: bytes
    signers: int


@functools.cache
def identities(count: int = 5) -> tuple[Identity, ...]:
    """Return COUNT new identities as the program makes them."""
    made = (
        create_identity(name=f"Signer {n}", passphrase="a passphrase for runs", now=START - timedelta(days=1))
        for n in range(count)
    )
    return tuple(open_identity(pkcs12=data, passphrase="a passphrase for runs") for data in made)


def signed_records(count: int, people: tuple[Identity, ...], dice: random.Random) -> Iterator[Signed]:
    """Yield COUNT different records of the Durham decision, each signed by one to three of PEOPLE."""
    raw = json.loads((FOLDER / "examples" / "durham.json").read_text("utf-8"))
    for number in range(count):
        changed = {
            **raw,
            "title": f"Record {number} · {dice.choice(['Größe', '数', 'plain'])}",
            "justification": "x " * dice.randrange(1, 400),
        }
        decision = read_decision(changed)
        stated = record.Stated(time=START + timedelta(minutes=number), source="signer")
        made = record.make_record(decision, assess(decision), stated)
        data = record.record_bytes(made)
        pdf, jws = report.pdf_bytes(made, data, "record.json"), ""
        chosen = dice.sample(people, dice.randint(1, 3))
        for who, role in zip(chosen, ROLES, strict=False):
            one = sign_record(
                json_bytes=data,
                pdf_bytes=pdf,
                jws_text=jws,
                identity=who,
                role=role,
                verdict="approve",
                time=stated.time,
                time_source="signer",
            )
            pdf, jws = one.pdf_bytes, one.jws_text
        yield Signed(json=data, pdf=pdf, jws=jws.encode("ascii"), signers=len(chosen))


def mutated(content: bytes, dice: random.Random, spans: list[tuple[int, int]] | None = None) -> tuple[int, bytes]:
    """Return the position and CONTENT with one byte changed there, within SPANS if given."""
    begin, end = dice.choice(spans) if spans else (0, len(content))
    position = dice.randrange(begin, end)
    changed = bytearray(content)
    changed[position] ^= dice.randrange(1, 256)
    return position, bytes(changed)


def found(one: Signed, which: str, dice: random.Random) -> tuple[str, int, bool]:
    """Return what was changed in a record, where, and whether it was found, judging the files WHICH names alone."""
    if which == "pdf":
        digits = [match.span(1) for match in re.finditer(rb"/Contents <([0-9A-F]+)>", one.pdf)]
        position, pdf = mutated(one.pdf, dice, digits if dice.random() < 0.5 else None)
        return "pdf", position, not verify_record(None, pdf, None).ok
    files = {"json": one.json, "jws": one.jws, "pdf": one.pdf}
    name = dice.choice(("json", "jws") if which == "json and jws" else tuple(files))
    position, files[name] = mutated(files[name], dice)
    pdf_given = None if which == "json and jws" else files["pdf"]
    return name, position, not verify_record(files["json"], pdf_given, files["jws"]).ok


def mutations(count: int, records: int, seed: int) -> Iterator[dict[str, Any]]:
    """Yield, for each set of files judged alone, how many of COUNT // 3 changes were found, and where the others
    were."""
    dice = random.Random(seed)
    made = tuple(signed_records(records, identities(), dice))
    for which in MEMBERS:
        began, missed, tried = time.monotonic(), [], 0
        for number in range(count // len(MEMBERS)):
            name, position, detected = found(made[number % len(made)], which, dice)
            tried += 1
            if not detected:
                missed.append({"record": number % len(made), "file": name, "position": position})
        seconds = round(time.monotonic() - began, 1)
        yield {
            "judged": which,
            "records": len(made),
            "changed": tried,
            "found": tried - len(missed),
            "missed": missed,
            "seconds": seconds,
        }


def valid(count: int, seed: int) -> Iterator[dict[str, Any]]:
    """Yield how many of COUNT valid records were called unchanged, by number of signers."""
    began, dice = time.monotonic(), random.Random(seed)
    rows = {
        signers: {"signers": signers, "records": 0, "unchanged": 0, "slowest_verification": 0.0}
        for signers in (1, 2, 3)
    }
    for one in signed_records(count, identities(), dice):
        row, before = rows[one.signers], time.monotonic()
        verdict = verify_record(one.json, one.pdf, one.jws, now=START + timedelta(days=30))
        row["records"] += 1
        row["unchanged"] += verdict.verdict == "unchanged"
        row["slowest_verification"] = round(max(row["slowest_verification"], time.monotonic() - before), 3)
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
    for row in rows:
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
