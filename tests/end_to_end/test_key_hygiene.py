"""After signing sessions no private key and no passphrase lies anywhere: not in files, not in what was printed, not
after a crash."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, pkcs12

from dpwizard import cli
from dpwizard.base.resource_files import FOLDER
from tests.end_to_end.whole_way import Call, run
from tests.samples.secrets_left_behind import PASSPHRASE, WRONG, left_behind

pytestmark = pytest.mark.slow

TIME = "2026-11-21T10:00:00+00:00"
DURHAM = FOLDER / "examples" / "durham.json"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    for name in ("home", "tmp", "secret", "work"):
        (tmp_path / name).mkdir()
    for name, text in (("right", PASSPHRASE), ("wrong", WRONG)):
        (tmp_path / "secret" / name).write_text(text + "\n", "utf-8")
    return tmp_path


def started(home: Path, _: pytest.MonkeyPatch, *arguments: str) -> Call:
    """Run a command in a process that shows whatever Python would show, with its home and temporary files in HOME."""
    surroundings = {
        **os.environ,
        "HOME": str(home / "home"),
        "TMPDIR": str(home / "tmp"),
        "PYTHONUTF8": "1",
        "PYTHONFAULTHANDLER": "1",
    }
    command = [sys.executable, "-X", "dev", "-W", "ignore", str(FOLDER.parent / "main.py"), *arguments]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=home / "work", env=surroundings, timeout=120
    )
    return Call(done.returncode, done.stdout, done.stderr)


def in_home(home: Path, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Call:
    """Run a command in this process, with its home and temporary files in HOME."""
    with monkeypatch.context() as patch:
        patch.setenv("HOME", str(home / "home"))
        patch.setattr(tempfile, "tempdir", str(home / "tmp"))
        patch.chdir(home / "work")
        return run(*arguments)


def test_a_signing_session_leaves_no_secret_in_files_or_output(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    right, wrong, identity, other = (
        home / "secret" / "right",
        home / "secret" / "wrong",
        home / "work" / "a.p12",
        home / "work" / "b.p12",
    )
    record = home / "work" / "record.json"
    make = ("identity", "create", "--passphrase-file", right, "--at", TIME)
    sign = ("sign", "--at", TIME, "--passphrase-file")
    public = ("--edition", "public", "--of", record, "--identity", other, "--out", home / "work" / "public")
    printed = b""
    for wanted, apart, command in (
        (0, False, (*make, "--name", "A. Officer", "--out", identity)),
        (0, False, (*make, "--name", "B. Board", "--out", other)),
        (2, True, (*sign, wrong, DURHAM, "--identity", identity, "--out", record)),
        (0, True, (*sign, right, DURHAM, "--identity", identity, "--out", record, "--comment", "as discussed")),
        (2, False, (*sign, wrong, record, "--identity", other, "--role", "approves")),
        (0, False, (*sign, right, record, "--identity", other, "--role", "approves")),
        (0, False, (*sign, right, *public)),
        (3, False, ("verify", record, "--json")),
        (0, False, ("replay", record)),
        (0, False, ("identity", "show", identity, "--passphrase-file", right)),
        (2, False, ("identity", "show", identity, "--passphrase-file", wrong)),
    ):
        done = (started if apart else in_home)(home, monkeypatch, *map(str, command))
        assert done.status == wanted, done.err
        printed += (done.out + done.err).encode()
    assert (
        len(list((home / "work").iterdir())) == 11
    )  # two identities with their certificates, a record of two signatures, its public version
    assert left_behind(home, identity, printed, (right, wrong)) == []
    assert left_behind(home, other, printed, (right, wrong)) == []
    for path in (identity, other):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list((home / "tmp").iterdir()) == []


@pytest.mark.parametrize("where", ["_signed", "sign_line"])
def test_a_defect_in_the_middle_of_signing_tells_no_secret_and_leaves_no_file(
    home: Path, where: str, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    from dpwizard.signing import signing

    right, identity = home / "secret" / "right", home / "work" / "a.p12"
    key = ("--passphrase-file", str(right), "--at", TIME)
    cli.main(["identity", "create", "--name", "A", "--out", str(identity), *key])

    def fails(*given: Any, **named: Any) -> None:
        raise RuntimeError(f"broken with {given!r}, {named!r}")  # the worst that a traceback could show

    monkeypatch.setattr(signing, where, fails)
    assert cli.main(["sign", str(DURHAM), "--identity", str(identity), *key, "--out", str(home / "work" / "r")]) == 2
    printed = capsysbinary.readouterr()
    assert b"a defect of this program" in printed.err
    assert left_behind(home, identity, printed.out + printed.err, (right, home / "secret" / "wrong")) == []
    assert sorted(path.name for path in (home / "work").iterdir()) == ["a.crt", "a.p12"]


def test_the_search_of_these_tests_finds_what_is_left_behind(home: Path) -> None:
    right, identity = home / "secret" / "right", home / "work" / "a.p12"
    key = ("--passphrase-file", str(right), "--at", TIME)
    cli.main(["identity", "create", "--name", "A", "--out", str(identity), *key])
    opened: Any = pkcs12.load_pkcs12(identity.read_bytes(), PASSPHRASE.encode()).key
    for form in (Encoding.PEM, Encoding.DER):
        (home / "tmp" / "log").write_bytes(b"log: " + opened.private_bytes(form, PrivateFormat.PKCS8, NoEncryption()))
        assert left_behind(home, identity, b"", (right, home / "secret" / "wrong"))
    (home / "tmp" / "log").write_text(f"opened with {PASSPHRASE}", "utf-8")
    assert left_behind(home, identity, b"", (right, home / "secret" / "wrong")) == ["tmp/log: passphrase in utf-8"]
