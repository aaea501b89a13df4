"""Two certificates that bear one name: signing and verifying say so in words."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from dpwizard import cli, make_identity
from tests.samples.decisions import EXAMPLES

AT = datetime(2026, 11, 21, 10, 0, tzinfo=UTC)
NOTE = "an earlier signature bears the same name with another certificate"


@pytest.mark.slow
def test_second_certificate_of_one_name_is_noted_in_the_text_of_sign_and_verify(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    secret = tmp_path / "passphrase"
    secret.write_text("nine blue herons")
    for file in ("one", "two"):
        make_identity(tmp_path / f"{file}.p12", name="Ada Lovelace", passphrase="nine blue herons", at=AT)

    def sign(what: Path, identity: str, role: str, *more: str) -> int:
        who = ["--identity", str(tmp_path / f"{identity}.p12"), "--passphrase-file", str(secret)]
        return cli.main(["sign", str(what), *who, "--role", role, "--at", AT.isoformat(), *more])

    assert sign(EXAMPLES / "durham.json", "one", "proposes", "--out", str(tmp_path / "r")) == 0
    capfd.readouterr()
    assert sign(tmp_path / "r.json", "two", "data_protection_officer") == 0
    assert NOTE in capfd.readouterr().out
    for language, words in (("en", NOTE), ("de", "trägt denselben Namen")):
        assert cli.main(["verify", str(tmp_path / "r"), "--language", language]) == 3
        assert words in capfd.readouterr().out
