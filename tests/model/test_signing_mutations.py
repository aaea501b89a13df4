"""Single bytes changed in a signed record: each must be found, in the three files together and in each part alone."""

from __future__ import annotations

import random
import re

import pytest

from dpwizard.signing.signing import verify_record
from tests.samples.signed_record import JSON, signed

SEED = 20_260_301


def mutated(content: bytes, dice: random.Random, position: int | None = None) -> bytes:
    changed = bytearray(content)
    changed[dice.randrange(len(changed)) if position is None else position] ^= dice.randrange(1, 256)
    return bytes(changed)


@pytest.mark.parametrize("mutations", [300, pytest.param(2_000, marks=pytest.mark.slow)])
def test_single_byte_changes_of_the_three_files_are_all_found(mutations: int) -> None:
    dice, record = random.Random(SEED), signed(2)
    files = {"json": JSON, "pdf": record.pdf_bytes, "jws": record.jws_text.encode()}
    assert verify_record(files["json"], files["pdf"], files["jws"]).ok
    for number in range(mutations):
        name = tuple(files)[number % 3]
        changed = {**files, name: mutated(files[name], dice)}
        found = verify_record(changed["json"], changed["pdf"], changed["jws"])
        assert (found.verdict, found.ok) == ("changed", False), (number, name)


def test_every_byte_of_a_short_signature_file_counts() -> None:
    dice, line = random.Random(SEED), signed(1).jws_text.encode()
    for position in range(0, len(line), 3):
        assert verify_record(JSON, None, mutated(line, dice, position)).verdict == "changed"


@pytest.mark.slow
def test_single_byte_changes_of_the_pdf_alone_are_all_found_beside_the_signature_too() -> None:
    """Half of them anywhere, half within the revisions of the signatures, where a validator leaves bytes uncovered."""
    dice, pdf = random.Random(SEED), signed(2).pdf_bytes
    gaps = [match.span(1) for match in re.finditer(rb"/Contents <([0-9A-F]+)>", pdf)]
    assert len(gaps) == 2
    for number in range(800):
        position = None if number % 2 else dice.randrange(*gaps[number // 2 % 2])
        assert verify_record(None, mutated(pdf, dice, position), None).verdict == "changed"


@pytest.mark.slow
def test_bytes_removed_doubled_or_put_in_are_found_too() -> None:
    dice, record = random.Random(SEED), signed(2)
    files = {"json": JSON, "pdf": record.pdf_bytes, "jws": record.jws_text.encode()}
    for number in range(300):
        name = tuple(files)[number % 3]
        whole = files[name]
        start = dice.randrange(len(whole))
        end = min(len(whole), start + dice.choice([1, 2, 50, 5_000]))
        change = (
            whole[:start] + whole[end:],
            whole[:end] + whole[start:],
            whole[:start] + dice.randbytes(3) + whole[start:],
        )[number // 3 % 3]
        changed = {**files, name: change}
        assert verify_record(changed["json"], changed["pdf"], changed["jws"]).verdict == "changed", (number, name)
        assert not verify_record(None, changed["pdf"], None).ok or name != "pdf"
