"""A disk that is full, or a drive that goes, while a record is written: all its files or none, and the reason in
words."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from dpwizard import files
from dpwizard.decision import read_decision
from dpwizard.errors import FileProblem
from dpwizard.signing import RecordFiles, record_files
from dpwizard.signing.record_files import Signature
from tests.samples.decisions import STATED, example
from tests.samples.signed_record import people
from tests.samples.small_drive import refused

MOST = 20  # calls to the system that are made to fail, one after another


def signature(who: int, role: str) -> Signature:
    return Signature(identity=people()[who], role=role, verdict="approve", comment="", stated=STATED)


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Return the files of a record that one person has signed."""
    target = RecordFiles.beside(tmp_path_factory.mktemp("signed") / "r")
    record_files.sign_new(read_decision(example("durham")), target, signature(0, "proposes"))
    return {path.name: path.read_bytes() for path in target.all}


def refusing(monkeypatch: pytest.MonkeyPatch, call: str, number: str, at: int) -> None:
    """Have the system refuse CALL when it is made for the AT-th time, and from then on."""
    real, made = getattr(os, call), [0]

    def counted(*given: Any, **named: Any) -> Any:
        made[0] += 1
        if made[0] >= at:
            raise OSError(getattr(files.errno, number), "as if")
        return real(*given, **named)

    monkeypatch.setattr(files.os, call, counted)


@pytest.mark.slow
@pytest.mark.parametrize(("call", "number"), [("fsync", "ENOSPC"), ("link", "ENOENT")])
def test_a_record_that_cannot_be_written_whole_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, signed: dict[str, bytes], call: str, number: str
) -> None:
    target = RecordFiles.beside(tmp_path / "r")
    said: list[FileProblem] = []
    for at in range(1, MOST):
        with monkeypatch.context() as failing:
            refusing(failing, call, number, at)
            if call == "link":
                refusing(failing, "rename", number, 1)
            try:
                record_files._write_all(target, tuple(signed.values()))
            except FileProblem as problem:
                said.append(problem)
            else:
                break
        assert list(tmp_path.iterdir()) == []
    assert len(said) >= 3
    assert {problem.message for problem in said} == {files.REASONS[getattr(files.errno, number)]}
    assert all(str(tmp_path) in problem.where for problem in said)
    assert {path.name: path.read_bytes() for path in target.all} == signed


@pytest.mark.slow
@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_signature_that_cannot_be_added_leaves_the_record_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, signed: dict[str, bytes], call: str
) -> None:
    for name, data in signed.items():
        (tmp_path / name).write_bytes(data)
    target = RecordFiles.beside(tmp_path / "r")
    for at in (1, 2) if call == "fsync" else (1,):
        with monkeypatch.context() as failing:
            refusing(failing, call, "ENOSPC", at)
            with pytest.raises(FileProblem, match="the disk is full"):
                record_files.sign_further(target, signature(1, "approves"))
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == signed
    record_files.sign_further(target, signature(1, "approves"))
    assert record_files.verify(target, (), STATED.time).ok


@pytest.mark.slow
def test_on_a_drive_that_is_really_too_small_nothing_is_left(tmp_path: Path) -> None:
    imports = "from tests.model.test_records_on_failing_disks import *"
    attempt = (
        "record_files.sign_new(read_decision(example('durham')), RecordFiles.beside(path / 'r'), signature(0, "
        "'proposes'))"
    )
    said = refused(imports, attempt, tmp_path, most=60_000)
    assert "larger than its drive allows" in said
    assert list(tmp_path.iterdir()) == []
