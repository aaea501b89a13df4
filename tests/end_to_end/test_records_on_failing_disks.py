"""A disk that is full, or a drive that goes, while a record is signed: a signature is there whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from dpwizard.base import files
from dpwizard.base.errors import FileProblem
from dpwizard.signing import signing, store
from tests.samples.signed_record import DAY, NOW, further, judged, new, people, request, signed
from tests.samples.small_drive import refused

pytestmark = pytest.mark.slow

MOST = 20  # calls to the system that are made to fail, one after another


def refusing(monkeypatch: pytest.MonkeyPatch, call: str, number: str, at: int) -> None:
    """Have the system refuse CALL when it is made for the AT-th time, and from then on."""
    real, made = getattr(os, call), [0]

    def counted(*given: Any, **named: Any) -> Any:
        made[0] += 1
        if made[0] >= at:
            raise OSError(getattr(files.errno, number), "as if")
        return real(*given, **named)

    monkeypatch.setattr(files.os, call, counted)


@pytest.mark.parametrize(("call", "number"), [("fsync", "ENOSPC"), ("link", "EIO"), ("write", "EDQUOT")])
def test_signature_is_there_whole_or_not_at_all_and_the_reason_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, number: str
) -> None:
    place = signed(tmp_path, 1)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    said: list[FileProblem] = []
    for at in range(1, MOST):
        with monkeypatch.context() as failing:
            refusing(failing, call, number, at)
            try:
                further(place, people()[1])
            except FileProblem as problem:
                said.append(problem)
        if place.line(2).exists():
            break
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert said
    assert {problem.message for problem in said} == {files.REASONS[getattr(files.errno, number)]}
    found = judged(place)
    assert len(found.signers) == 2
    assert found.remedy in ("Make the PDF again.", "Trust the certificate of Ann Müller, if it is that person’s.")


def test_full_drive_after_the_signature_says_that_it_is_signed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = signed(tmp_path, 1)
    with monkeypatch.context() as failing:
        refusing(failing, "replace", "ENOSPC", 1)
        with pytest.raises(FileProblem, match="The record is signed"):
            further(place, people()[1])
    assert judged(place).remedy == "Make the PDF again."
    signing.make_pdf_again(place)
    assert judged(place).ok


def test_signing_so_again_adds_no_signature_and_makes_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ann, bob, *_), log, place = people(), tmp_path / "log", signed(tmp_path, 1)
    log.mkdir()
    with monkeypatch.context() as failing:
        refusing(failing, "replace", "ENOSPC", 1)
        with pytest.raises(FileProblem, match="The record is signed"):
            further(place, bob)
    assert not signing.sign_further(place, request(bob, "approves", log=log, time=NOW + DAY / 24))
    assert not place.line(3).exists()
    assert len(list(log.iterdir())) == 1
    found = judged(place)
    assert (found.ok, len(found.signers)) == (True, 2)
    assert next(finding for finding in found.findings if finding.check == "pdf").ok
    assert signing.sign_further(place, request(bob, "approves", comment="In May."))  # that says something else
    assert signing.sign_further(place, request(bob, "approves", "withdraw"))
    assert signing.sign_further(place, request(ann))  # whose signature is not the last


def test_name_of_a_record_without_its_pdf_is_taken_and_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as failing:
        refusing(failing, "replace", "ENOSPC", 1)
        with pytest.raises(FileProblem, match="The record is signed"):
            new(tmp_path)
    with pytest.raises(FileProblem, match="its PDF is missing"):
        new(tmp_path)


def test_drive_without_hard_links_takes_a_record_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refusing(monkeypatch, "link", "EPERM", 1)
    place = further(new(tmp_path), people()[1])
    assert judged(place).ok
    assert not store.create(place.line(2), b"another one was first")
    assert judged(place).ok


def test_on_a_drive_that_is_too_small_for_the_pages_the_record_is_signed(tmp_path: Path) -> None:
    imports = "from tests.end_to_end.test_records_on_failing_disks import *"
    said = refused(imports, "new(path)", tmp_path, most=60_000)
    assert "larger than its drive allows" in said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["r.1.jws", "r.json"]


def test_on_a_drive_that_is_too_small_for_the_json_nothing_is_left(tmp_path: Path) -> None:
    said = refused("from tests.end_to_end.test_records_on_failing_disks import *", "new(path)", tmp_path, most=9_000)
    assert "larger than its drive allows" in said
    assert list(tmp_path.iterdir()) == []
