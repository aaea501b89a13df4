"""A record is signed by one at a time, and a signing that is killed leaves it as it was, or as it was to be."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from dpwizard import files
from dpwizard.decision import read_decision
from dpwizard.errors import FileProblem, SigningProblem
from dpwizard.signing import RecordFiles, held_files, record_files
from dpwizard.signing.record_files import Signature
from tests.samples.decisions import STATED, example
from tests.samples.failing_drive import Plug, killed_alone, killed_at
from tests.samples.signed_record import people

OLD = {"r.json": b"{}\n", "r.pdf": b"%PDF old " * 400, "r.json.jws": b"one line\n"}
NEW = {**OLD, "r.pdf": OLD["r.pdf"] + b"a revision", "r.json.jws": b"one line\nand another\n"}
MOST_CALLS = 200


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for no third who might take over the lock of one who was killed."""
    monkeypatch.setattr(held_files.file_lock, "PAUSE", 0.0)


def signature(who: int, role: str) -> Signature:
    return Signature(identity=people()[who], role=role, verdict="approve", comment="", stated=STATED)


def lying(folder: Path) -> dict[str, bytes]:
    """Return all files of FOLDER, hidden ones too."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def lying_but_for_locks(folder: Path) -> dict[str, bytes]:
    return {name: data for name, data in lying(folder).items() if ".lock" not in name}


def put(folder: Path, found: dict[str, bytes]) -> RecordFiles:
    folder.mkdir(parents=True)
    for name, data in found.items():
        (folder / name).write_bytes(data)
    return RecordFiles.beside(folder / "r")


def change(target: RecordFiles) -> None:
    with held_files.held(target.all) as place:
        place.replace({path: NEW[path.name] for path in (target.pdf, target.jws)})


def make(target: RecordFiles) -> None:
    with held_files.held(target.all) as place:
        place.replace({path: NEW[path.name] for path in target.all})


def seen(target: RecordFiles) -> dict[str, bytes]:
    """Return the files of TARGET as whoever signs next finds them."""
    held_files.mend(target.all)
    found = zip(target.all, held_files.read(target.all), strict=True)
    return {path.name: data for path, data in found if data is not None}


def _age_a_lock_without_words(target: RecordFiles) -> None:
    """Let two minutes pass where the kill fell between making the lock and writing whose it is; then look again."""
    place = held_files.file_lock.beside(target.jws)
    if place.exists() and not held_files.file_lock.read_holder(place).user:
        os.utime(place, (1, 1))
        seen(target)


@pytest.mark.parametrize("half", [False, True])
@pytest.mark.parametrize(("before", "action"), [(OLD, change), ({}, make)])
def test_killed_at_every_call_the_files_are_as_before_or_as_after_and_nothing_else_is_left(
    tmp_path: Path, before: dict[str, bytes], action: Callable[[RecordFiles], None], half: bool
) -> None:
    calls = []
    for at in range(MOST_CALLS):
        target = put(tmp_path / str(at), before)
        died = killed_at(at, action, target, half=half)
        found = seen(target)
        assert found in (before, NEW), (at, died)
        _age_a_lock_without_words(target)
        assert lying(target.json.parent) == found, (at, died)
        if died is None:
            break
        calls.append(died)
        if found == before:
            action(target)  # what was half made blocks nothing
        assert seen(target) == NEW
    assert found == NEW
    assert {"write", "fsync", "link", "unlink", "replace"} <= set(calls)
    assert len(calls) > 30


@pytest.mark.slow
def test_killed_while_what_was_left_is_undone_it_is_undone_all_the_same(tmp_path: Path) -> None:
    numbers = itertools.count()
    for at in range(MOST_CALLS):
        target = put(tmp_path / f"first {at}", OLD)
        if killed_at(at, change, target) is None:
            break
        _age_a_lock_without_words(target)
        left = lying(target.json.parent)
        if ".r.json.jws.plan" not in left:
            continue
        for later in range(MOST_CALLS):
            again = put(tmp_path / f"then {next(numbers)}", left)
            if killed_at(later, seen, again) is None:
                break
            assert seen(again) in (OLD, NEW), (at, later)
            _age_a_lock_without_words(again)
            assert lying_but_for_locks(again.json.parent) == seen(again)


@pytest.mark.parametrize(("before", "action"), [(OLD, change), ({}, make)])
def test_with_the_plug_pulled_after_any_call_the_files_are_as_before_or_as_after(
    tmp_path: Path, before: dict[str, bytes], action: Callable[[RecordFiles], None]
) -> None:
    target = put(tmp_path / "drive", before)
    with pytest.MonkeyPatch.context() as patch:
        plug = Plug(target.json.parent, patch)
        action(target)
    assert len(plug.states) > 50
    for number, state in enumerate(plug.states):
        after = put(tmp_path / str(number), {name: data for name, data in state.items() if ".lock" not in name})
        assert seen(after) in (before, NEW), (number, sorted(state))
        assert lying(after.json.parent) == seen(after)
    # what was reported is there whatever was not flushed
    assert seen(put(tmp_path / "reported", plug.states[-1])) == NEW


def test_reading_leaves_whatever_a_killed_signing_left(tmp_path: Path) -> None:
    for at in range(MOST_CALLS):
        target = put(tmp_path / str(at), OLD)
        died = killed_at(at, change, target)
        before = lying(target.json.parent)
        found = zip(target.all, held_files.read(target.all), strict=True)
        assert {path.name: data for path, data in found} == {name: before[name] for name in OLD}
        assert lying(target.json.parent) == before
        assert {path.name for path in held_files.left_beside(target.all)} == set(before) - set(OLD), died
        if died is None:
            break


# ------------------------------------------------------------------------------------------- two at once


def test_a_record_that_is_being_signed_waits_and_then_names_who_signs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(held_files, "SIGNER_WAITS", 0.1)
    target = put(tmp_path / "a", OLD)
    with (
        held_files.held(target.all),
        pytest.raises(FileProblem, match="is being signed by"),
        held_files.held(target.all, 0.1),
    ):
        raise AssertionError
    change(target)


@pytest.mark.parametrize("name", list(OLD))
def test_files_that_another_program_changes_while_they_are_signed_are_left_alone(tmp_path: Path, name: str) -> None:
    target = put(tmp_path / "a", OLD)
    theirs = {**OLD, name: OLD[name] + b"theirs\n"}
    with held_files.held(target.all) as place:
        (tmp_path / "a" / name).write_bytes(theirs[name])
        with pytest.raises(SigningProblem, match="changed by another program while it was signed"):
            place.replace({target.pdf: b"mine", target.jws: b"mine"})
    assert lying(tmp_path / "a") == theirs


def test_a_lock_that_somebody_took_over_meanwhile_changes_nothing(tmp_path: Path) -> None:
    target = put(tmp_path / "a", OLD)
    with held_files.held(target.all) as place:
        held_files.file_lock.beside(target.jws).write_text("filelock/2\npid=1\nhost=elsewhere\nmode=lease\ntoken=t\n")
        with pytest.raises(SigningProblem, match="taken over"):
            place.replace({target.pdf: b"mine", target.jws: b"mine"})
    assert lying_but_for_locks(tmp_path / "a") == OLD


@pytest.mark.parametrize(
    "plan", [b"", b"[]", b"{", b'{"r.pdf": 7}', b'{"../x": ["a", "b"]}', b'{"r.pdf": [null, null]}']
)
def test_a_plan_that_is_none_changes_nothing_and_is_cleared_away(tmp_path: Path, plan: bytes) -> None:
    target = put(tmp_path / "a", {**OLD, ".r.json.jws.plan": plan, ".r.pdf.old": b"other", ".r.pdf.new": b"other"})
    assert seen(target) == OLD
    assert lying(tmp_path / "a") == OLD


# ------------------------------------------------------------------------------------------- whole signings


SIGNING = """
import sys
from pathlib import Path
from dpwizard.errors import DPWizardError
from dpwizard.signing import RecordFiles
from tests.model.one_signature_at_a_time import sign_in_turn
sign_in_turn(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
"""


def sign_in_turn(folder: Path, comment: str, times: int) -> None:
    """Sign the record in FOLDER so often, and note each signature that was reported as made, at once."""
    for number in range(times):
        said = f"{comment} {number}"
        made = Signature(identity=people()[0], role="checks", verdict="none", comment=said, stated=STATED)
        while True:
            try:
                record_files.sign_further(RecordFiles.beside(folder / "r"), made)
                break
            except FileProblem:  # the other one signs so fast that its turn never ended while this one waited
                continue
        with (folder.parent / f"{folder.name}-{comment}.txt").open("a", encoding="utf-8") as reported:
            reported.write(f"{said}\n")


def signed_by_two(folder: Path, each: int) -> None:
    """Have two processes sign one record EACH so often at once; every signature that was reported must be there."""
    target = RecordFiles.beside(folder / "r")
    record_files.sign_new(read_decision(example("durham")), target, signature(0, "proposes"))
    begun = [subprocess.Popen([sys.executable, "-c", SIGNING, str(folder), name, str(each)]) for name in ("one", "two")]
    assert [process.wait(600) for process in begun] == [0, 0]
    noted = [folder.parent / f"{folder.name}-{name}.txt" for name in ("one", "two")]
    said = [line for path in noted for line in path.read_text("utf-8").splitlines()]
    found = record_files.verify(target, (), STATED.time)
    assert found.ok, found.sentence
    assert sorted(signer.comment or "" for signer in found.signers[1:]) == sorted(said)
    assert len(said) == 2 * each
    assert len(list(folder.iterdir())) == 3


@pytest.mark.slow
def test_two_processes_sign_one_record_and_every_signature_that_was_reported_is_there(tmp_path: Path) -> None:
    (tmp_path / "r").mkdir()
    signed_by_two(tmp_path / "r", 5)


@pytest.mark.soak
def test_two_processes_sign_two_hundred_times(tmp_path: Path) -> None:
    for number in range(12):  # a record takes at most twenty signatures
        (tmp_path / str(number)).mkdir()
        signed_by_two(tmp_path / str(number), 9)


@pytest.fixture(scope="module")
def proposed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    target = RecordFiles.beside(tmp_path_factory.mktemp("proposed") / "r")
    record_files.sign_new(read_decision(example("durham")), target, signature(0, "proposes"))
    return lying(target.json.parent)


def approve(place: str) -> None:
    record_files.sign_further(RecordFiles.beside(Path(place)), signature(1, "approves"))


@pytest.mark.parametrize("every", [pytest.param(17, marks=pytest.mark.slow), pytest.param(1, marks=pytest.mark.soak)])
def test_a_signing_killed_at_a_call_leaves_a_record_that_opens_and_can_be_signed(
    tmp_path: Path, proposed: dict[str, bytes], every: int
) -> None:
    counts = set()
    for at in range(0, MOST_CALLS, every):
        target = put(tmp_path / str(at), proposed)
        died = killed_alone(at, "tests.model.one_signature_at_a_time:approve", str(tmp_path / str(at) / "r"))
        found = record_files.verify(target, (), STATED.time)
        assert found.verdict == "unchanged", (at, died, found.sentence)
        counts.add((len(found.signers), died is None))
        _age_a_lock_without_words(target)
        assert len(lying(target.json.parent)) == 3
        if died is None:
            break
    assert {(1, False), (2, True)} <= counts <= {(1, False), (2, False), (2, True)}


def test_a_new_record_killed_at_every_call_is_there_or_not_and_never_blocks_its_name(
    tmp_path: Path, proposed: dict[str, bytes]
) -> None:
    contents = tuple(proposed[name] for name in ("r.json", "r.pdf", "r.json.jws"))
    for at in range(MOST_CALLS):
        target = put(tmp_path / str(at), {})
        died = killed_at(at, record_files._write_all, target, contents)
        found = seen(target)
        _age_a_lock_without_words(target)
        assert lying(target.json.parent) == found, (at, died)
        if found == {}:
            record_files._write_all(target, contents)
        assert seen(target) == proposed
        if died is None:
            break
    assert record_files.verify(target, (), STATED.time).verdict == "unchanged"
    with pytest.raises(FileProblem, match="exists already"):
        record_files._write_all(target, contents)


def test_what_a_killed_program_left_is_cleared_away_at_the_next_write_and_nothing_else(tmp_path: Path) -> None:
    left, fresh = tmp_path / ".dpwizard-abc", tmp_path / ".dpwizard-def"
    for place in (left, fresh, tmp_path / "dpwizard-mine", tmp_path / "mine.dpwizard-x"):
        place.write_bytes(b"x")
        os.utime(place, (1, 1))
    os.utime(fresh)
    files.write_new(tmp_path / "new", b"data")
    assert sorted(path.name for path in tmp_path.iterdir()) == [fresh.name, "dpwizard-mine", "mine.dpwizard-x", "new"]
