"""The record by command line: policies, editions, missing signatures and archives, as a stranger runs them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from dpwizard import cli
from dpwizard.base.resource_files import FOLDER

pytestmark = pytest.mark.slow

DURHAM = FOLDER / "examples" / "durham.json"
TIME = "2026-11-21T10:00:00+00:00"
POLICY = 'format = "dpwizard.policy/1"\nname = "Office"\nlargest_epsilon = {limit}\nroles = ["proposes", "approves"]\n'


@pytest.fixture(scope="module")
def identities(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with two identities, a and b, and their passphrase: making them takes longest of all."""
    folder = tmp_path_factory.mktemp("identities")
    (folder / "passphrase").write_text("nine blue herons")
    for name in ("a", "b"):
        made = ["--name", name, "--out", str(folder / f"{name}.p12"), *passphrase(folder), "--at", TIME]
        assert cli.main(["identity", "create", *made]) == 0
    return folder


@pytest.fixture
def desk(identities: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Path:
    """Return a folder of the test's own with the two identities, and nobody's home."""
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "nobody")
    shutil.copytree(identities, tmp_path, dirs_exist_ok=True)
    capfd.readouterr()
    return tmp_path


def passphrase(desk: Path) -> list[str]:
    return ["--passphrase-file", str(desk / "passphrase")]


def verified(desk: Path, name: str, *more: str | Path) -> int:
    """Return the exit status of `verify`, with the certificates of the desk trusted."""
    trust = (option for who in ("a", "b") for option in ("--trust", str(desk / f"{who}.crt")))
    return cli.main(["verify", str(desk / name), *trust, *map(str, more)])


def sign(desk: Path, *more: str | Path, who: str = "a") -> int:
    return cli.main(["sign", *map(str, more), "--identity", str(desk / f"{who}.p12"), *passphrase(desk), "--at", TIME])


def test_a_policy_is_checked_when_signing_and_asked_when_verifying(
    desk: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    office = desk / "office.toml"
    office.write_text(POLICY.format(limit=2))
    assert sign(desk, DURHAM, "--out", desk / "r", "--policy", office) == 2
    assert 'comes to 2.19722; the policy "Office" allows at most 2' in capfd.readouterr().err
    office.write_text(POLICY.format(limit=3))
    assert sign(desk, DURHAM, "--out", desk / "r", "--policy", office) == 0
    assert verified(desk, "r", "--policy", office) == 1
    assert "Not complete: a signature is still missing in the role of: approves." in capfd.readouterr().out
    assert sign(desk, desk / "r.json", "--role", "approves", "--policy", office, who="b") == 0
    assert verified(desk, "r", "--policy", office) == 0
    assert verified(desk, "r") == 3  # the policy it names is not at hand
    assert cli.main(["verify", str(desk / "r"), "--policy", str(office)]) == 3  # nobody is trusted
    assert cli.main(["verify", str(desk / "r"), "--policy", str(desk / "passphrase")]) == 2
    assert "is not TOML" in capfd.readouterr().err


def test_a_public_edition_is_made_signed_further_verified_and_replayed(
    desk: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    decision = desk / "d.json"
    raw = json.loads(DURHAM.read_text("utf-8")) | {"withheld": ["$.details.authority"]}
    decision.write_text(json.dumps(raw))
    assert sign(desk, decision, "--out", desk / "r") == 0
    assert sign(desk, "--edition", "public", "--of", desk / "r.json", "--out", desk / "p") == 0
    assert "no authority is claimed" in (desk / "r.json").read_text("utf-8")
    assert "no authority is claimed" not in (desk / "p.json").read_text("utf-8")
    assert sign(desk, desk / "p.json", "--role", "approves", who="b") == 0
    assert verified(desk, "p.json") == 0
    assert cli.main(["replay", str(desk / "p.json")]) == 0
    raw["withheld"] = ["$.justification"]  # what is withheld may be marked later; nothing else may differ
    decision.write_text(json.dumps(raw))
    assert sign(desk, decision, "--edition", "public", "--of", desk / "r.json", "--out", desk / "q") == 0
    assert "justification" not in json.loads((desk / "q.json").read_text("utf-8"))["decision"]
    decision.write_text(json.dumps(raw | {"title": "Another"}))
    capfd.readouterr()
    assert sign(desk, decision, "--edition", "public", "--of", desk / "r.json", "--out", desk / "x") == 2
    assert "is not the decision of the internal record" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--edition", "public"], "--of: is needed"),
        ([], "FILE: is needed"),
        ([str(DURHAM), "--of", "r.json"], "goes with --edition public"),
    ],
)
def test_arguments_of_an_edition_that_do_not_fit_are_said(
    desk: Path, arguments: list[str], words: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert sign(desk, *arguments) == 2
    assert words in capfd.readouterr().err


@pytest.mark.parametrize("command", [("verify",), ("replay",), ("replay", "--all"), ("identity", "show")])
def test_a_name_that_no_drive_can_hold_is_refused_in_words(
    command: tuple[str, ...], capfd: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([*command, "long" * 100]) == 2
    said = capfd.readouterr()
    assert "longlong" in said.err
    assert "defect" not in said.out + said.err


def test_who_approves_signs_after_the_proposal_where_a_policy_asks_for_one(
    desk: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    office = desk / "office.toml"
    office.write_text(POLICY.format(limit=3))
    assert sign(desk, DURHAM, "--out", desk / "r", "--policy", office, "--role", "approves") == 2
    assert "nobody has proposed this record yet" in capfd.readouterr().err
    assert not (desk / "r.json").exists()
    assert sign(desk, DURHAM, "--out", desk / "r", "--policy", office) == 0
    for _ in range(2):  # the second time nothing new is stated
        (desk / "r.pdf").unlink()
        assert sign(desk, desk / "r.json", "--role", "approves", who="b") == 0
    assert "had already signed it" in capfd.readouterr().err
    assert sorted(path.name for path in desk.glob("r.*")) == ["r.1.jws", "r.2.jws", "r.json", "r.pdf"]


def test_the_policy_that_an_office_has_placed_is_asked_unless_another_is_named(
    desk: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dpwizard.base.office_folder.OFFICE", desk / "etc")
    assert sign(desk, DURHAM, "--out", desk / "free") == 0
    (desk / "etc" / "trust").mkdir(parents=True)
    (desk / "etc" / "policy.toml").write_text(POLICY.format(limit=2))
    capfd.readouterr()
    assert sign(desk, DURHAM, "--out", desk / "r") == 2
    assert 'the policy "Office" allows at most 2' in capfd.readouterr().err
    other = desk / "other.toml"
    other.write_text(POLICY.format(limit=3))
    assert sign(desk, DURHAM, "--out", desk / "r", "--policy", other) == 0
    (desk / "etc" / "policy.toml").write_text(POLICY.format(limit=4))
    assert sign(desk, DURHAM, "--out", desk / "s") == 0
    assert "Checked under the policy of the office on this computer" in capfd.readouterr().err
    shutil.copy(desk / "a.crt", desk / "etc" / "trust" / "a.crt")
    assert cli.main(["verify", str(desk / "free.json")]) == 1  # whatever a record names, the office's policy is asked
    told = capfd.readouterr().out
    assert "every certificate is trusted here" in told
    assert "a signature is still missing in the role of: approves" in told


def test_an_identity_comes_with_its_certificate_and_overwrites_nothing(
    desk: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert (desk / "a.crt").read_bytes().startswith(b"-----BEGIN CERTIFICATE-----")
    assert b"PRIVATE" not in (desk / "a.crt").read_bytes()
    (desk / "c.crt").write_text("somebody else's")
    assert cli.main(["identity", "create", "--name", "c", "--out", str(desk / "c.p12"), *passphrase(desk)]) == 2
    assert "c.crt: already exists" in capfd.readouterr().err
    assert not (desk / "c.p12").exists()


def test_the_passphrase_is_the_first_line_of_its_file(desk: Path) -> None:
    for text in ("nine blue herons\n", "nine blue herons\r\nand a note\n", "\ufeffnine blue herons"):
        (desk / "passphrase").write_bytes(text.encode("utf-8"))
        assert cli.main(["identity", "show", str(desk / "a.p12"), *passphrase(desk)]) == 0


def test_a_verdict_that_nobody_could_count_is_not_taken(desk: Path) -> None:
    for verdict in ("agreed", "Reject", ""):
        assert sign(desk, DURHAM, "--out", desk / "r", "--verdict", verdict) == 2
