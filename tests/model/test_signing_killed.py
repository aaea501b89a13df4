"""A signing that is killed at any call, a plug that is pulled after any, and several people who sign at once."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from dpwizard.signing import RecordFiles, remaking
from dpwizard.signing.remaking import Remade
from tests.samples.failing_drive import DONE, Plug, ended, forked, killed_at
from tests.samples.signed_record import further, judged, people, person, remake, signed


def sign_in(place: RecordFiles, name: str) -> None:
    """Sign the record at PLACE once more: what another process does."""
    further(place, person(name), "data_protection_officer")


def seen(place: RecordFiles) -> int:
    """Return how many signatures the record has, each of them genuine and over all before it."""
    found = judged(place)
    assert found.verdict == "unchanged", found.sentence
    assert found.remedy.startswith(("Make the PDF again.", "Trust the certificate"))
    return len(found.signers)


@pytest.mark.slow
@pytest.mark.parametrize("at", [6, 12])
def test_killed_signing_is_not_there_or_whole(tmp_path: Path, at: int) -> None:
    place = signed(tmp_path, 1)
    before = [place.json.read_bytes(), place.line(1).read_bytes()]
    died = killed_at(at, partial(sign_in, place, "Somebody"))
    count = seen(place)
    assert count == 2 or died
    assert [place.json.read_bytes(), place.line(1).read_bytes()] == before
    further(place, people()[1])  # nothing that was left stands in the way
    assert seen(place) == count + 1


@pytest.mark.slow
def test_pulled_plug_leaves_a_record_whose_signatures_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now, other = tmp_path / "now", tmp_path / "after"
    now.mkdir(), other.mkdir()
    place = signed(now, 1)
    with monkeypatch.context() as patch:
        plug = Plug(place.folder, patch)
        further(place, people()[1])
    assert len(plug.states) > 10
    for state in {tuple(sorted(state.items())) for state in plug.states}:
        for path in other.iterdir():
            path.unlink()
        for name, content in state:
            (other / name).write_bytes(content)
        found = judged(RecordFiles(folder=other, name="r"))
        assert found.verdict == "unchanged", found.sentence


@pytest.mark.slow
def test_several_who_sign_at_once_all_sign(tmp_path: Path) -> None:
    place = signed(tmp_path, 1)
    names = ["One", "Two", "Three"]
    running = [forked(partial(sign_in, place, name)) for name in names]
    assert [ended(child) for child in running] == [DONE] * len(names)
    found = judged(place)
    assert sorted(signer.name for signer in found.signers[1:]) == sorted(names)
    assert found.verdict == "unchanged"
    assert next(one for one in found.findings if one.check == "pdf").ok


def test_signature_that_came_first_is_signed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between reading the record and creating the file somebody else signs: all is read again."""
    place = signed(tmp_path, 1)
    calls = []

    def while_somebody_signs(json_bytes: bytes, lines: tuple[str, ...], _: object = None) -> Remade:
        calls.append(len(lines))
        if len(calls) == 1:
            further(place, people()[2], "data_protection_officer")
        return remake(json_bytes, lines)

    monkeypatch.setattr(remaking, "remake_here", while_somebody_signs)
    further(place, people()[1])
    assert calls == [1, 1, 2]
    assert [signer.role for signer in judged(place).signers] == ["proposes", "data_protection_officer", "approves"]
