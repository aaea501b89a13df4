"""Every command of docs/record-format.md is run as it stands there, and prints what the page says it prints."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from dpwizard.decision import read_decision
from dpwizard.records import AssertedTime
from dpwizard.records.record import MEMBERS
from dpwizard.signing import RecordFiles, signing
from dpwizard.signing.identity import create_identity, open_identity
from tests.samples.decisions import STATED, example

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "record-format.md").read_text("utf-8")
BLOCKS = re.findall(r"```(sh|python|js)\n(.*?)```\n\n```text\n(.*?)```", PAGE, re.DOTALL)
NEEDED = ("openssl", "pdfsig", "pdfdetach", "node")
ELIDED = "[0-9A-Fa-f:]{64,95}"  # a hash or a fingerprint, which the page shortens


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a record that two people signed, where the commands leave what they make for the next."""
    made = tmp_path_factory.mktemp("format")
    place = RecordFiles.beside(made / "durham.json")
    for hours, (name, role, verdict) in enumerate(
        (("Ada Officer", "proposes", "propose"), ("Ben Board", "approves", "approve"))
    ):
        stated = AssertedTime(time=STATED.time + timedelta(hours=hours), source=STATED.source)
        stored = create_identity(name=name, passphrase="nine blue herons", now=STATED.time)
        identity = open_identity(pkcs12=stored, passphrase="nine blue herons")
        (made / f"{name[:3].lower()}.pem").write_bytes(identity.certificate_pem())
        request = signing.SigningRequest(identity=identity, role=role, verdict=verdict, comment="", stated=stated)
        if hours:
            signing.sign_further(place, request)
        else:
            signing.sign_new(read_decision(example("durham")), place, request)
    (made / "dpwizard").write_text(f'#!/bin/sh\nexec "{sys.executable}" "{ROOT / "main.py"}" "$@"\n')
    (made / "dpwizard").chmod(0o755)
    return made


def test_every_block_of_commands_is_followed_by_what_it_prints() -> None:
    assert len(BLOCKS) == len(re.findall(r"```(?:sh|python|js)\n", PAGE)) == 8


@pytest.mark.slow
def test_the_commands_of_the_page_print_what_it_says(folder: Path) -> None:
    assert not [name for name in NEEDED if shutil.which(name) is None], "install openssl poppler-utils nodejs"
    surroundings = {
        **os.environ,
        "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder),
        "PYTHONUTF8": "1",
    }
    for kind, code, expected in BLOCKS:
        command = {"sh": ["sh", "-eu", "-c", code], "python": [sys.executable, "-c", code], "js": ["node", "-e", code]}[
            kind
        ]
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, check=False, env=surroundings, timeout=120
        )
        assert done.returncode == 0, (code, done.stdout, done.stderr)
        for line in expected.splitlines():
            wanted = re.escape(line).replace("…", ELIDED)
            assert re.search(wanted, done.stdout + done.stderr), (code, line, done.stdout + done.stderr)


def test_the_page_holds_the_script_that_verify_explains() -> None:
    assert (ROOT / "resources" / "report" / "verify_with_openssl.sh").read_text("utf-8") in PAGE


def test_a_changed_byte_makes_the_page_fail(folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "changed"
    shutil.copytree(folder, copy)
    (copy / "durham.json").write_bytes((copy / "durham.json").read_bytes().replace(b"Durham", b"Dorham", 1))
    python = next(code for kind, code, _ in BLOCKS if kind == "python")
    done = subprocess.run(
        [sys.executable, "-c", python], cwd=copy, capture_output=True, text=True, check=False, timeout=60
    )
    assert "AssertionError" in done.stderr
    subprocess.run(["pdfdetach", "-save", "1", "-o", "attached.json", "durham.pdf"], cwd=copy, check=True)
    compared = subprocess.run(["cmp", "attached.json", "durham.json"], cwd=copy, capture_output=True, check=False)
    assert compared.returncode == 1


def test_the_members_of_a_record_are_those_of_the_page_and_of_the_schema(folder: Path) -> None:
    schema = json.loads((ROOT / "resources" / "schema" / "record.json").read_text("utf-8"))
    assert set(schema["properties"]) == set(schema["required"]) == set(MEMBERS)
    assert set(json.loads((folder / "durham.json").read_bytes())) == set(MEMBERS)
    table = PAGE.split("## NAME.json\n")[1].split("## NAME.1.jws")[0]
    assert not [member for member in MEMBERS if f"`{member}`" not in table]
