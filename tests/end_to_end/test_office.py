"""What an office keeps: the log of signatures made here, a policy to begin with, its signature; secrets in the open.

The attack on the log: Ben rejects a record, Ada takes his line and his revision away, and Cleo approves what is left.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
import tomllib
from pathlib import Path

import pytest

from dpwizard import cli, office_folder
from dpwizard.decision import read_decision
from dpwizard.errors import FileProblem, SigningProblem
from dpwizard.language import speaking
from dpwizard.records import policy, policy_text
from dpwizard.resource_files import FOLDER
from dpwizard.signing import record_files, signature_log
from dpwizard.signing.identity import Identity
from tests.samples.decisions import STATED, example
from tests.samples.signed_record import people, person

DURHAM = FOLDER / "examples" / "durham.json"
TIME = "2026-11-21T10:00:00+00:00"
ANN, BOB, CLEO = people()


def signature(who: Identity, role: str, verdict: str, log: Path) -> record_files.Signature:
    return record_files.Signature(identity=who, role=role, verdict=verdict, comment="", stated=STATED, log=log)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    signature_log.begin(tmp_path / "signatures.log")
    return tmp_path / "signatures.log"


def rejected(folder: Path, log: Path) -> tuple[record_files.RecordFiles, list[bytes]]:
    """Return a record that Bob has rejected, and its files as they were before he did."""
    target = record_files.RecordFiles.beside(folder / "r")
    record_files.sign_new(read_decision(example("durham")), target, signature(ANN, "proposes", "approve", log))
    before = [path.read_bytes() for path in target.all]
    record_files.sign_further(target, signature(BOB, "approves", "reject", log))
    return target, before


def put_back(target: record_files.RecordFiles, contents: list[bytes]) -> None:
    for path, content in zip(target.all, contents, strict=True):
        path.write_bytes(content)


# -------------------------------------------------------------------------------------------- the log


@pytest.mark.slow
def test_a_rejection_that_was_taken_away_leaves_a_trace(tmp_path: Path, log: Path) -> None:
    target, before = rejected(tmp_path, log)
    assert record_files.verify(target, (), STATED.time, log=log).outcome == "undetermined"  # nobody is trusted here
    put_back(target, before)
    assert record_files.verify(target, (), STATED.time).ok  # without the log nobody sees it
    found = record_files.verify(target, (), STATED.time, log=log)
    assert (found.verdict, found.outcome, found.exit_status) == ("refused", "failed", 1)
    assert "approves: reject" in found.sentence
    with pytest.raises(SigningProblem, match="approves: reject"):
        record_files.sign_further(target, signature(CLEO, "approves", "approve", log))
    judged = signature_log.judge_log(log, records=tmp_path)
    assert (judged.outcome, len(judged.missing)) == ("failed", 1)


@pytest.mark.slow
def test_the_log_of_the_office_is_written_and_asked_unasked(
    tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(office_folder, "OFFICE", tmp_path)
    target = record_files.RecordFiles.beside(tmp_path / "r")
    stated = {"verdict": "approve", "comment": "", "stated": STATED}
    record_files.sign_new(
        read_decision(example("durham")), target, record_files.Signature(identity=ANN, role="proposes", **stated)
    )
    before = [path.read_bytes() for path in target.all]
    record_files.sign_further(target, record_files.Signature(identity=BOB, role="approves", **stated))
    put_back(target, before)
    assert record_files.verify(target, (), STATED.time).outcome == "failed"
    assert cli.main(["log", "verify", "--records", str(tmp_path)]) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [
        lambda lines: lines[:2] + lines[3:],  # a line removed
        lambda lines: [lines[0], lines[2], lines[1], *lines[3:]],  # two exchanged
        lambda lines: [*lines[:3], lines[3].replace(b"reject", b"approve"), *lines[4:]],
        lambda lines: [*lines[:-1], lines[-1].replace(b"reject", b"approve")[:-1]],
        lambda lines: [*lines, lines[-1]],  # one twice
        lambda lines: [*lines, b"{}\n"],
        lambda lines: [line.replace(b",", b", ") for line in lines],
        lambda _: [],
    ],
)
def test_a_log_that_was_changed_is_found(tmp_path: Path, log: Path, change: object) -> None:
    rejected(tmp_path, log)
    assert signature_log.judge_log(log, records=tmp_path).outcome == "passed"
    assert callable(change)
    log.write_bytes(b"".join(change(log.read_bytes().splitlines(keepends=True))))
    assert signature_log.judge_log(log).exit_status == 1


@pytest.mark.slow
def test_every_single_byte_of_a_log_but_its_end_matters(tmp_path: Path, log: Path) -> None:
    rejected(tmp_path, log)
    content = log.read_bytes()
    for place in range(len(content)):
        log.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        judged = signature_log.judge_log(log, head=signature_log.read_log(log).head)
        last = place > content.rindex(b"\n", 0, -1)
        assert judged.outcome == "failed" or last
    log.write_bytes(content)
    head = signature_log.judge_log(log).head
    lines = content.splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:-1]))  # cut short: for whoever noted the head
    assert signature_log.judge_log(log).outcome == "passed"
    assert signature_log.judge_log(log, head=head).outcome == "failed"


@pytest.mark.slow
def test_a_signature_whose_end_is_not_noted_is_undetermined_until_it_is_given_again(tmp_path: Path, log: Path) -> None:
    target, before = rejected(tmp_path, log)
    killed = log.read_bytes().splitlines(keepends=True)[:-1]  # between the first line and the last
    log.write_bytes(b"".join(killed))
    assert record_files.verify(target, (), STATED.time, log=log).open == ()
    put_back(target, before)
    found = record_files.verify(target, (), STATED.time, log=log)
    assert (found.ok, found.outcome) == (True, "undetermined")
    assert "a signature was begun here" in found.open[0]
    record_files.sign_further(target, signature(BOB, "approves", "reject", log))
    assert record_files.verify(target, (), STATED.time, log=log).open == ()


@pytest.mark.slow
def test_a_signature_that_could_not_be_written_is_noted_as_such(
    tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, _ = rejected(tmp_path, log)
    shutil.rmtree(tmp_path / "elsewhere", ignore_errors=True)
    before = [path.read_bytes() for path in target.all]

    def full(*_: object, **__: object) -> None:
        raise FileProblem("cannot be written: the disk is full", "r", "")

    with monkeypatch.context() as patch:
        patch.setattr("os.replace", full)
        with pytest.raises(FileProblem, match="disk is full"):
            record_files.sign_further(target, signature(CLEO, "advises", "approve", log))
    assert [path.read_bytes() for path in target.all] == before
    assert signature_log.read_log(log).entries[-1].event == "not_written"
    assert signature_log.judge_log(log, records=tmp_path).outcome == "passed"
    assert record_files.verify(target, (), STATED.time, log=log).ok


@pytest.mark.slow
def test_nothing_is_signed_where_the_log_cannot_be_written(tmp_path: Path) -> None:
    target = record_files.RecordFiles.beside(tmp_path / "r")
    with pytest.raises(FileProblem):
        record_files.sign_new(
            read_decision(example("durham")), target, signature(ANN, "proposes", "approve", tmp_path / "nowhere.log")
        )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_line_that_was_cut_off_stays_and_the_next_follows_it(tmp_path: Path, log: Path) -> None:
    with log.open("ab") as stream:
        stream.write(b'{"event":"sig')
    rejected(tmp_path, log)
    judged = signature_log.judge_log(log, records=tmp_path)
    assert judged.problems == ("line 2 is not one this program writes",)
    assert judged.signatures == 2


def note(log: Path, count: int) -> None:
    for number in range(count):
        signature_log.append(log, "not_written", {"record": f"r{number}"})


@pytest.mark.slow
def test_several_at_once_append_one_chain(log: Path) -> None:
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=note, args=(log, 50)) for _ in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
    found = signature_log.read_log(log)
    assert (len(found.entries), found.problems) == (201, ())


@pytest.mark.slow
def test_log_verify_by_command_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    place = tmp_path / "office.log"
    assert cli.main(["log", "new", str(place)]) == 0
    assert cli.main(["log", "new", str(place)]) == 2
    target, before = rejected(tmp_path, place)
    verify = ["log", "verify", str(place)]
    assert cli.main([*verify, "--records", str(tmp_path)]) == 0
    capfd.readouterr()
    assert cli.main([*verify, "--json"]) == 0
    head = json.loads(capfd.readouterr().out)["head"]
    assert cli.main([*verify, "--head", head]) == 0
    assert cli.main([*verify, "--head", "0" * 64]) == 1
    put_back(target, before)
    assert cli.main([*verify, "--records", str(tmp_path)]) == 1
    assert "Gone from its record: r.json, approves: reject" in capfd.readouterr().out
    for path in target.all:
        path.unlink()
    assert cli.main([*verify, "--records", str(tmp_path)]) == 3
    assert cli.main(["log", "verify", str(tmp_path / "nowhere.log")]) == 2


# ---------------------------------------------------------------------------------- secrets in the open


@pytest.mark.slow
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
        text = policy_text.template()
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
    target = record_files.RecordFiles.beside(tmp_path / "r")
    made = record_files.Signature(identity=ANN, role="proposes", verdict="approve", comment="", stated=STATED)
    with pytest.raises(FileProblem, match="does not exist"):
        record_files.sign_new(read_decision(example("durham")), target, made)
    assert not target.json.exists()

    def closed(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "lstat", closed)
    assert record_files.office_policy() == tmp_path / "policy.toml"


def test_a_policy_written_out_reads_as_itself() -> None:
    ada = person("Ada").certificate
    made = policy.Policy(
        format="dpwizard.policy/1",
        name='A "name" with \\, ü and \x7f',
        largest_epsilon=0.1,
        largest_delta=1e-9,
        mechanisms=("laplace",),
        roles=("proposes", "approves", "statistician"),
        people=(policy.Person(name="Ada", certificate=ada.fingerprint, roles=("proposes", "approves")),),
        filled=("$.details.necessity",),
        exceptions=False,
        signed=True,
    )
    assert policy.read_policy(policy_text.text(made).encode(), "x").policy == made
    assert tomllib.loads(policy_text.text(made))["people"][0]["name"] == "Ada"


@pytest.mark.slow
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
    assert "counts only with the signature of the office" in capfd.readouterr().err
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
