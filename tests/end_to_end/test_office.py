"""What an office keeps: the log of signatures made here, a policy to begin with, its signature; secrets in the open.

The attack on the log: Ben rejects a record, Ada takes his line and his revision away, and Cleo approves what is left.
"""

from __future__ import annotations

import functools
import json
import os
import shutil
import tomllib
from pathlib import Path

import pytest

from dpwizard import cli
from dpwizard.base import office_folder
from dpwizard.base.errors import FileProblem, SigningProblem
from dpwizard.base.language import speaking
from dpwizard.base.resource_files import FOLDER
from dpwizard.decision import read_decision
from dpwizard.records import policy
from dpwizard.signing import RecordFiles, office, signature_log, signing
from dpwizard.signing.signature import read_signature
from dpwizard.signing.trust import Trust
from tests.samples.decisions import STATED, example
from tests.samples.signed_record import judged, people, person, request, trusting

pytestmark = pytest.mark.slow

DURHAM = FOLDER / "examples" / "durham.json"
TIME = "2026-11-21T10:00:00+00:00"
ANN, BOB, CLEO = people()


signature = functools.partial(request, time=STATED.time)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    signature_log.begin(tmp_path / "signatures")
    return tmp_path / "signatures"


def rejected(folder: Path, log: Path) -> tuple[RecordFiles, dict[str, bytes]]:
    """Return a record that Bob has rejected, and its files as they were before he did."""
    target = RecordFiles(folder=folder, name="r")
    signing.sign_new(read_decision(example("durham")), target, signature(ANN, "proposes", "approve", log=log))
    before = {path.name: path.read_bytes() for path in target.there}
    signing.sign_further(target, signature(BOB, "approves", "reject", log=log))
    return target, before


def trust_in_office(folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, ...]:
    """Make FOLDER the one of an office that trusts the three people; return where their certificates lie."""
    monkeypatch.setattr(office_folder, "OFFICE", folder)
    return trusting(folder, ANN, BOB, CLEO)


def put_back(target: RecordFiles, contents: dict[str, bytes]) -> None:
    for path in target.there:
        path.unlink()
    for name, content in contents.items():
        (target.folder / name).write_bytes(content)


# -------------------------------------------------------------------------------------------- the log


def test_a_rejection_that_was_taken_away_leaves_a_trace(
    tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, before = rejected(tmp_path, log)
    assert judged(target, now=STATED.time, log=log).outcome == "undetermined"  # nobody is trusted here
    put_back(target, before)
    assert judged(target, now=STATED.time).ok  # without the log nobody sees it
    found = judged(target, now=STATED.time, log=log)
    assert (found.outcome, found.remedy) == (
        "undetermined",
        "Trust the certificate of Ann Müller, if it is that person’s.",
    )
    assert "by someone not trusted here: Bob, approves: reject" in found.sentence
    held = signature_log.judge_log(log, Trust(), records=tmp_path)
    assert (held.outcome, len(held.strangers)) == ("undetermined", 1)
    trusted = trust_in_office(tmp_path, monkeypatch)
    found = judged(target, trusted, now=STATED.time, log=log)
    assert (found.verdict, found.outcome, found.exit_status) == ("refused", "failed", 1)
    assert "approves: reject" in found.sentence
    with pytest.raises(SigningProblem, match="approves: reject"):
        signing.sign_further(target, signature(CLEO, "approves", "approve", log=log))
    held = signature_log.judge_log(log, office.read_trust(trusted), records=tmp_path)
    assert (held.outcome, len(held.missing)) == ("failed", 1)


def test_the_log_of_the_office_is_written_and_asked_unasked(
    tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trusted = trust_in_office(tmp_path, monkeypatch)
    target = RecordFiles(folder=tmp_path, name="r")
    signing.sign_new(read_decision(example("durham")), target, request(ANN, time=STATED.time))
    before = {path.name: path.read_bytes() for path in target.there}
    signing.sign_further(target, request(BOB, "approves", time=STATED.time))
    put_back(target, before)
    assert judged(target, trusted, now=STATED.time).outcome == "failed"
    assert cli.main(["log", "verify", "--records", str(tmp_path)]) == 1
    assert len(list(log.iterdir())) == 2


@pytest.mark.parametrize("content", [b"", b"{}", b"a.b.c\n", b"\xff", "its own line changed"])
def test_what_is_no_genuine_signature_is_named_and_passed_over(tmp_path: Path, log: Path, content: bytes | str) -> None:
    target, _ = rejected(tmp_path, log)
    entry = sorted(log.iterdir())[0]
    changed = entry.read_bytes().replace(b".", b".e", 1) if isinstance(content, str) else content
    planted = log / f"{entry.name[:32]}.planted.jws"
    planted.write_bytes(changed)
    (log / "notes.txt").write_text("x")
    assert judged(target, now=STATED.time, log=log).ok  # it blocks nothing
    found = signature_log.judge_log(log, Trust(), records=tmp_path)
    assert found.passed_over == tuple(sorted((planted.name, "notes.txt")))
    assert (found.outcome, found.signatures) == ("undetermined", 2)


def test_nothing_is_signed_where_the_log_cannot_be_written(tmp_path: Path) -> None:
    target = RecordFiles(folder=tmp_path, name="r")
    with pytest.raises(FileProblem, match="Nothing was signed"):
        signing.sign_new(
            read_decision(example("durham")), target, signature(ANN, "proposes", "approve", log=tmp_path / "nowhere")
        )
    assert list(tmp_path.iterdir()) == []


def test_signature_that_is_noted_twice_is_there_once(tmp_path: Path, log: Path) -> None:
    target, _ = rejected(tmp_path, log)
    signature_log.note(log, read_signature(target.line(1).read_text().strip()))
    assert signature_log.judge_log(log, Trust(), records=tmp_path).signatures == 2


def test_log_verify_by_command_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "office log"
    assert cli.main(["log", "new", str(place)]) == 0
    assert cli.main(["log", "new", str(place)]) == 2
    target, before = rejected(tmp_path, place)
    verify = ["log", "verify", str(place)]
    assert cli.main([*verify, "--records", str(tmp_path)]) == 0
    capfd.readouterr()
    assert cli.main([*verify, "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["signatures"] == 2
    put_back(target, before)
    assert cli.main([*verify, "--records", str(tmp_path)]) == 3
    assert "by someone not trusted here: Bob, approves: reject" in capfd.readouterr().out
    trust_in_office(tmp_path, monkeypatch)
    assert cli.main([*verify, "--records", str(tmp_path)]) == 1
    assert "Gone from its record: Bob, approves: reject" in capfd.readouterr().out
    for path in target.there:
        path.unlink()
    assert cli.main([*verify, "--records", str(tmp_path)]) == 3
    assert cli.main(["log", "verify", str(tmp_path / "nowhere")]) == 2


# ---------------------------------------------------------------------------------- secrets in the open


def test_a_key_or_a_passphrase_that_others_can_read_is_warned_about(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    secret, key = tmp_path / "passphrase", tmp_path / "a.p12"
    secret.write_text("nine blue herons")
    secret.chmod(0o600)
    told = ["--passphrase-file", str(secret)]
    cli.main(["identity", "create", "--name", "A", "--out", str(key), *told])
    show = ["identity", "show", str(key), *told]
    sign = ["sign", str(DURHAM), "--out", str(tmp_path / "r"), "--identity", str(key), *told, "--at", TIME]
    capfd.readouterr()
    assert cli.main(show) == 0
    assert "Warning" not in capfd.readouterr().err
    key.chmod(0o640)
    secret.chmod(0o604)
    for command, status in ((show, 0), (sign, 2)):
        assert cli.main(command) in (0, status)
        warned = [line for line in capfd.readouterr().err.splitlines() if line.startswith("Warning: others can read")]
        assert [path in " ".join(warned) for path in (str(key), str(secret))] == [True, True]


# ------------------------------------------------------------------------------------- policies as files


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_new_policy_is_commented_and_asks_for_nothing_until_a_mark_is_removed(language: str) -> None:
    with speaking(language):
        text = policy.template()
    bare = policy.read_policy(text.encode(), "policy.toml").policy
    assert bare == policy.Policy(format="dpwizard.policy/1", name=bare.name)
    examples = "".join(
        line.removeprefix("# ") + "\n" for line in text.splitlines() if " = " in line or line.startswith("# [[")
    )
    asking = policy.read_policy(examples.encode(), "policy.toml").policy
    assert all(
        getattr(asking, name) != getattr(bare, name)
        for name in policy.Policy.model_fields
        if name[:4] not in ("form", "name")
    )
    assert ("Rollen" in text) is (language == "de")


def test_a_policy_that_cannot_be_reached_is_not_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(office_folder, "OFFICE", tmp_path)
    (tmp_path / "policy.toml").symlink_to(tmp_path / "a drive that is gone" / "policy.toml")
    target = RecordFiles.beside(tmp_path / "r")
    made = signature(ANN)
    with pytest.raises(FileProblem, match="does not exist"):
        signing.sign_new(read_decision(example("durham")), target, made)
    assert not target.json.exists()

    def closed(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "lstat", closed)
    assert office.policy_in() == tmp_path / "policy.toml"


def test_a_policy_written_out_reads_as_itself() -> None:
    ada = person("Ada").certificate
    made = policy.Policy(
        format="dpwizard.policy/1",
        name='A "name" with \\, ü and \x7f',
        largest_epsilon=0.1,
        largest_delta=1e-9,
        mechanisms=("laplace",),
        roles=("proposes", "approves", "statistician"),
        people=(policy.PolicyPerson(name="Ada", certificate=ada.fingerprint, roles=("proposes", "approves")),),
        filled=("$.details.necessity",),
        exceptions=False,
        signed=True,
    )
    assert policy.read_policy(policy.text(made).encode(), "x").policy == made
    assert tomllib.loads(policy.text(made))["people"][0]["name"] == "Ada"


def test_a_policy_that_counts_only_when_signed_is_refused_without_and_after_a_change(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "nobody")
    (tmp_path / "secret").write_text("nine blue herons")
    told = ["--passphrase-file", str(tmp_path / "secret")]
    for name in ("head", "thief"):
        cli.main(["identity", "create", "--name", name, "--out", str(tmp_path / f"{name}.p12"), *told, "--at", TIME])
    (tmp_path / "trust").mkdir()
    shutil.copy(tmp_path / "head.crt", tmp_path / "trust")
    place = tmp_path / "policy.toml"
    assert cli.main(["policy", "new", str(place)]) == 0
    assert cli.main(["policy", "new", str(place)]) == 2
    assert cli.main(["policy", "show", str(place)]) == 0
    text = place.read_text("utf-8").replace("# signed = true", "signed = true")
    place.write_text(text, "utf-8")
    show, sign = ["policy", "show", str(place)], ["policy", "sign", str(place), *told, "--at", TIME, "--identity"]
    assert cli.main(show) == 2
    assert "counts only with the office’s signature" in capfd.readouterr().err
    assert cli.main([*sign, str(tmp_path / "thief.p12")]) == 0
    assert cli.main(show) == 2
    assert "who is not trusted here" in capfd.readouterr().err
    assert cli.main([*sign, str(tmp_path / "head.p12")]) == 0
    capfd.readouterr()
    assert cli.main(show) == 0
    assert json.loads(capfd.readouterr().out)["signed_by"] == "head"
    record = ["sign", str(DURHAM), "--out", str(tmp_path / "r"), *told, "--identity", str(tmp_path / "head.p12")]
    place.write_text(text.replace("# largest_epsilon = 1.0", "largest_epsilon = 9"), "utf-8")
    assert cli.main([*record, "--policy", str(place), "--at", TIME]) == 2
    assert "was changed after head signed it" in capfd.readouterr().err
    assert not (tmp_path / "r.json").exists()
    place.write_text(text, "utf-8")
    assert cli.main([*record, "--policy", str(place), "--at", TIME]) == 0
    assert cli.main(["verify", str(tmp_path / "r.json"), "--policy", str(place)]) == 0
