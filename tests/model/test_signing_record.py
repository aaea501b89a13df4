"""A record signed by several people, one file for each signature; what verification says, and its JSON taken alone."""

from __future__ import annotations

import os
import shutil
import zlib
from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import pytest

from dpwizard.base.errors import DPWizardError, FileProblem, InvalidInput, SigningProblem
from dpwizard.base.language import speaking
from dpwizard.base.messages import message
from dpwizard.signing import RecordFiles, remaking, signing, store, verify_tasks
from dpwizard.signing.bounded import Bounded
from dpwizard.signing.reading import Remake
from dpwizard.signing.remaking import Remade, json_of, take_json_out
from tests.samples.signed_record import DAY, NOW, ROLES, further, judged, new, people, person, signed, small, trusting


def test_signed_record_passes(tmp_path: Path) -> None:
    place = signed(tmp_path, 3)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["r.1.jws", "r.2.jws", "r.3.jws", "r.json", "r.pdf"]
    found = judged(place, trusting(tmp_path, *people()))
    assert (found.verdict, found.outcome, found.exit_status) == ("trusted", "passed", 0)
    assert [signer.role for signer in found.signers] == list(ROLES)
    assert all(finding.ok for finding in found.findings)
    assert not found.remedy


@pytest.mark.own_process
def test_process_of_its_own_finds_the_same(tmp_path: Path) -> None:
    place = signed(tmp_path)
    apart, here = verify_tasks.verify_folder(place, (), NOW + DAY), judged(place)
    assert apart == here
    assert apart.outcome == "undetermined"
    with speaking("de"):
        assert [one.why.text() for one in apart.findings] == [one.why.text() for one in here.findings]
        assert apart.sentence.text() == here.sentence.text() != str(here.sentence)


def test_signing_leaves_what_is_there_as_it_is(tmp_path: Path) -> None:
    place = signed(tmp_path, 1)
    before = {path.name: path.read_bytes() for path in (place.json, place.line(1))}
    pdf = place.pdf.read_bytes()
    further(place, people()[1])
    assert {name: (tmp_path / name).read_bytes() for name in before} == before
    assert place.pdf.read_bytes().startswith(pdf)


@pytest.mark.parametrize(
    ("change", "why", "remedy"),
    [
        (lambda place: place.pdf.unlink(), "the PDF is missing", "Make the PDF again."),
        (lambda place: place.json.unlink(), "the JSON file “r.json” is missing", "Ask for all files of the record"),
        (lambda place: place.line(2).unlink(), "an earlier one is missing", "Ask for all files of the record."),
        (lambda place: place.line(3).unlink(), "perhaps a later signature", "Ask for all files of the record."),
        (lambda place: place.pdf.write_bytes(b"%PDF-1.7"), "does not match the JSON", "make the PDF again."),
        (lambda place: place.line(1).write_text(""), "is not one whole line", "Find the unchanged file."),
    ],
)
def test_damaged_record_gives_one_remedy(
    tmp_path: Path, change: Callable[[RecordFiles], object], why: str, remedy: str
) -> None:
    place = signed(tmp_path, 3)
    change(place)
    found = judged(place)
    assert why in f"{found.sentence} {[result.why for result in found.findings]}"
    assert remedy in found.remedy
    assert remedy not in found.sentence
    assert found.outcome != "passed"


def test_pdf_of_before_the_last_signature_can_be_made_again(tmp_path: Path) -> None:
    trusted = trusting(tmp_path, *people())
    place = signed(tmp_path)
    whole = place.pdf.read_bytes()
    place.pdf.write_bytes(signed_pdf_of(tmp_path, 1))
    found = judged(place, trusted)
    assert (found.outcome, found.remedy) == ("undetermined", "Make the PDF again.")
    signing.make_pdf_again(place)
    assert place.pdf.read_bytes() == whole
    assert judged(place, trusted).outcome == "passed"


def signed_pdf_of(folder: Path, count: int) -> bytes:
    """Return the PDF after COUNT signatures."""
    other = folder / "other"
    other.mkdir()
    return signed(other, count).pdf.read_bytes()


def test_json_alone_is_not_signed_yet(tmp_path: Path) -> None:
    place = signed(tmp_path, 1)
    place.line(1).unlink()
    place.pdf.unlink()
    found = judged(place)
    assert (found.verdict, found.outcome, found.remedy) == ("unsigned", "undetermined", "Sign it.")
    further(place, people()[0], "proposes")
    assert judged(place).ok


def test_unsigned_copy_under_another_name_is_called_that_and_not_signed(tmp_path: Path) -> None:
    place, copy = signed(tmp_path, 1), RecordFiles(folder=tmp_path, name="q")
    copy.json.write_bytes(place.json.read_bytes())
    found = judged(copy)
    assert (found.verdict, found.outcome, found.exit_status) == ("unsigned", "undetermined", 3)
    assert found.sentence == "Not signed: it is an unsigned copy, called “q”, of the record “r”."
    assert found.remedy == "Ask for the record “r” with its signatures."
    with pytest.raises(SigningProblem, match="unsigned copy, called “q”"):
        further(copy, people()[0], "proposes")
    copy.pdf.write_bytes(place.pdf.read_bytes())  # which holds a signature that is not there
    assert judged(copy).verdict == "changed"
    copy.pdf.unlink()
    copy.json.write_bytes(place.json.read_bytes().replace(b'"name": "r"', b'"name": "r. Everybody signed it"'))
    assert "of the record “r. Everybody signed it”." in judged(copy).sentence
    copy.json.write_bytes(place.json.read_bytes().replace(b"2.197224577336219", b"2.297224577336219"))
    assert judged(copy).verdict == "changed"


# ------------------------------------------------------------------------------------ what is not signed


@pytest.mark.parametrize("planted", ["r.json", "r.pdf", "r.1.jws", "r.json.jws", "r.2.tsr"])
def test_planted_file_stops_a_new_record(tmp_path: Path, planted: str) -> None:
    (tmp_path / planted).write_text("x")
    with pytest.raises(FileProblem, match="already exists"):
        new(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [planted]


@pytest.mark.parametrize("part", ["json", "line"])
def test_changed_record_is_not_signed(tmp_path: Path, part: str) -> None:
    place = signed(tmp_path, 1)
    path = place.json if part == "json" else place.line(1)
    path.write_bytes(path.read_bytes().replace(b"2", b"3", 1))
    with pytest.raises(SigningProblem, match="cannot be signed as it is"):
        further(place, people()[1])
    assert not place.line(2).exists()


def test_time_before_the_last_signature_is_refused(tmp_path: Path) -> None:
    place = signed(tmp_path, 1)
    with pytest.raises(SigningProblem, match="is before the last signature"):
        further(place, people()[1], time=NOW - DAY / 2)


def test_role_and_verdict_come_from_closed_lists(tmp_path: Path) -> None:
    place = signed(tmp_path, 1)
    with pytest.raises(SigningProblem, match="is not a role"):
        further(place, people()[1], "endorses")
    with pytest.raises(InvalidInput, match="verdict"):
        further(place, people()[1], verdict="applaud")


def test_record_takes_twenty_signatures_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert store.MOST == 20
    monkeypatch.setattr(store, "MOST", 3)
    place = signed(tmp_path, 1)
    for who in people()[1:]:
        further(place, who)
    assert judged(place).ok
    with pytest.raises(SigningProblem, match="at most 3 signatures"):
        further(place, person("Dora"))


@pytest.mark.parametrize(
    ("remake", "why", "verdict"),
    [
        (Mock(side_effect=MemoryError), "more memory than it is allowed", "incomplete"),
        (lambda *_: Remade(refused=message("no reason")), "no reason", "changed"),
    ],
)
def test_record_that_cannot_be_made_again_is_not_signed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, remake: Remake, why: str, verdict: str
) -> None:
    place = signed(tmp_path, 1)
    monkeypatch.setattr(remaking, "remake_here", remake)
    with pytest.raises(DPWizardError, match=why):
        further(place, people()[1])
    found = verify_tasks.verify_folder(place, (), NOW)
    assert (found.verdict, why in found.sentence, bool(found.remedy)) == (verdict, True, True)


# ------------------------------------------------------------------------------------ files of any kind


@pytest.mark.parametrize("name", ["r.json", "r.pdf", "r.1.jws"])
def test_link_pipe_folder_and_giant_are_not_read(tmp_path: Path, name: str) -> None:
    place = signed(tmp_path, 1)
    path = tmp_path / name
    content = path.read_bytes()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(content)
    path.unlink()
    path.symlink_to(elsewhere)
    assert "not a plain file" in judged(place).sentence
    path.unlink()
    os.mkfifo(path)
    assert "not a plain file" in judged(place).sentence
    path.unlink()
    path.mkdir()
    assert "not a plain file" in judged(place).sentence
    path.rmdir()
    with path.open("wb") as opened:
        opened.truncate(3_000_000_000)
    assert "which no file of a record has" in judged(place).sentence


def test_copy_takes_all_files_or_none(tmp_path: Path) -> None:
    place = signed(tmp_path / "a" if (tmp_path / "a").mkdir() is None else tmp_path)
    goal = tmp_path / "b"
    goal.mkdir()
    assert store.copy_into(place, goal) == ("r.json", "r.pdf", "r.1.jws", "r.2.jws")
    assert judged(RecordFiles(folder=goal, name="r")) == judged(place)
    with pytest.raises(FileProblem, match="already exists"):
        store.copy_into(place, goal)
    shutil.rmtree(goal)


def test_approval_of_nothing_complete_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput):
        new(tmp_path, decision=small(epsilon=None))


def stream(content: bytes) -> bytes:
    return b"%%PDF-1.7\n1 0 obj\n<<>>\nstream\n%s\nendstream\nendobj\n" % zlib.compress(content)


def test_json_of_a_signed_pdf_is_that_of_its_file(tmp_path: Path) -> None:
    place = signed(tmp_path)
    data = place.json.read_bytes()
    place.json.rename(tmp_path / "kept")
    found = judged(place)
    assert (found.outcome, found.sentence) == (
        "undetermined",
        "Inconclusive: the JSON file “r.json” is missing.",
    )
    assert "the PDF alone gives its JSON" in found.remedy
    copy = tmp_path / "mail attachment.pdf"
    place.pdf.rename(copy)
    assert take_json_out(copy).json == place.json
    assert place.json.read_bytes() == data
    with pytest.raises(FileProblem, match="already exists"):
        take_json_out(copy)
    with pytest.raises(FileProblem, match="does not exist"):
        take_json_out(place.pdf)
    with pytest.raises(FileProblem, match="is not the PDF of a record"):
        take_json_out(tmp_path / "mail.txt")


def test_record_that_another_pdf_carries_is_not_taken_for_its_own(tmp_path: Path) -> None:
    place = signed(tmp_path)
    data, pdf = place.json.read_bytes(), place.pdf.read_bytes()
    for hostile in (stream(data), pdf.replace(b"/Title(", b"/TitlE(", 1), pdf[: len(pdf) // 2], b"", b"x" + pdf):
        with pytest.raises(SigningProblem, match="contains no record"):
            json_of(hostile)


def test_bomb_and_many_records_end_soon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[bytes] = []
    remade = remaking.remake_here

    def counted(data: bytes, lines: tuple[str, ...], process: Bounded | None = None) -> object:
        made.append(data)
        return remade(data, lines, process)

    data = signed(tmp_path).json.read_bytes()
    monkeypatch.setattr(remaking, "remake_here", counted)
    for hostile in (stream(bytes(50_000_000)) * 60, stream(data) * 50, b">>\nstream\n" * 1_000_000):
        with pytest.raises(SigningProblem, match="contains no record"):
            json_of(hostile)
    assert len(made) == remaking.MOST_RECORDS
