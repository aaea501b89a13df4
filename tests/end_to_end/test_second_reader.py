"""Readers that are not ours see each signature in its place: poppler and qpdf read a file by its tables."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from dpwizard import records
from dpwizard.decision import read_decision
from dpwizard.signing import RecordFiles
from tests.oracles import record_check
from tests.samples.attacks import Steps, forge
from tests.samples.decisions import example
from tests.samples.signed_record import NOW, judged, people, person

pytestmark = pytest.mark.slow

STATED = records.AssertedTime(time=NOW, source="signer")
ROLES = ("proposes", "approves", "data_protection_officer", "archive")
POLICY = records.Policy(name="Office", sha256="0" * 64, roles=ROLES)
SIGNERS = ("proposes", "archive", "approves", "data_protection_officer", "vouches")


def signed(folder: Path, language: str, count: int) -> RecordFiles:
    """Return a record in LANGUAGE under a policy of four roles, signed by COUNT people."""
    decision = read_decision(example("durham", language=language, outcome="refer"))
    place = RecordFiles(folder=folder, name="r")
    place.json.write_bytes(records.write(records.make(decision, STATED, name="r", policy=POLICY)))
    signers = (*people(), person("Ευρυδίκη 王"), person("Zoë"))
    for role, who in zip(SIGNERS[:count], signers, strict=False):
        forge(place, Steps(language=language), who, role)
    return place


def shown(place: RecordFiles) -> str:
    command = ["pdftotext", "-l", "1", str(place.pdf), "-"]
    return subprocess.run(command, check=True, capture_output=True).stdout.decode()


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("signed 1 March 2026, 12:00 UTC", "approved 1 March 2026, 12:00 UTC", "signature number ")),
        ("de", ("signiert am 1. März 2026, 12:00 UTC", "genehmigt am 1. März 2026, 12:00 UTC", "Signaturnummer ")),
    ],
)
def test_poppler_shows_who_signed_as_what_when_and_the_number(
    tmp_path: Path, language: str, words: tuple[str, ...]
) -> None:
    place = signed(tmp_path, language, 5)
    assert judged(place).verdict == "unchanged"
    text = shown(place)
    number = people()[0].certificate.fingerprint[:20].upper()
    grouped = " ".join(number[at : at + 4] for at in range(0, 20, 4))
    for said in (*words, "Ann Müller", "Cleo", grouped):
        assert said in text
    for said in ("self-made", "Selbst erstellt", "trusted"):
        assert said not in text
    filled = [field["fullname"] for field in objects(place)["acroform"]["fields"] if field["value"] is not None]
    assert sorted(name.partition(" ")[2] for name in filled) == ["", *sorted(ROLES)]  # the last has what is left


def objects(place: RecordFiles) -> dict[str, Any]:
    found = subprocess.run(["qpdf", "--json", str(place.pdf)], check=True, capture_output=True).stdout
    read: dict[str, Any] = json.loads(found)
    return read


def test_qpdf_sees_the_fields_the_tags_and_the_attachment_as_we_wrote_them(tmp_path: Path) -> None:
    place = signed(tmp_path, "en", 3)
    subprocess.run(["qpdf", "--check", str(place.pdf)], check=True, capture_output=True)
    found = objects(place)
    fields = found["acroform"]["fields"]
    assert [field["fieldtype"] for field in fields] == ["/Sig"] * 6
    assert [field["fullname"].split(" ", 1)[-1] for field in fields[:4]] == list(ROLES)
    tagged = [item["value"] for item in found["qpdf"][1].values() if isinstance(item.get("value"), dict)]
    forms = [item for item in tagged if item.get("/S") == "/Form"]
    assert len(forms) == 6
    assert all(re.fullmatch(r"u:.+", item["/Alt"]) for item in forms)
    command = ["qpdf", str(place.pdf), "--show-attachment=r.json"]
    assert subprocess.run(command, check=True, capture_output=True).stdout == place.json.read_bytes()


def test_independent_reading_of_the_description_finds_no_fault_and_each_change(tmp_path: Path) -> None:
    place = signed(tmp_path, "en", 3)
    parts = place.json.read_bytes(), place.pdf.read_bytes(), [place.line(n).read_text() for n in (1, 2, 3)]
    assert record_check.faults(*parts) == []
    json_bytes, pdf, lines = parts
    assert record_check.faults(json_bytes + b" ", pdf, lines)
    assert record_check.faults(json_bytes, pdf + b" ", lines)
    assert record_check.faults(json_bytes, pdf, [lines[1], lines[0], lines[2]])
    assert record_check.faults(json_bytes, pdf, lines[:2])
