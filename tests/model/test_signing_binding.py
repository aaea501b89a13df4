"""The PDF says what the JSON says: whoever signs other pages than those of the record is refused."""

from __future__ import annotations

import copy
import re
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from dpwizard import json_text
from dpwizard.decision import assess, read_decision
from dpwizard.errors import SigningProblem
from dpwizard.messages import NO_MESSAGE
from dpwizard.records import DOCUMENT, record
from dpwizard.report import document as report
from dpwizard.report import versions
from dpwizard.resource_files import FOLDER
from dpwizard.signing import RecordFiles, binding, record_files
from dpwizard.signing.pdf_document import Document
from dpwizard.signing.signing import Verification, sign_record
from tests.samples.signed_record import person

STATED = record.Stated(time=datetime(2026, 11, 22, 12, 0, 0, tzinfo=UTC), source="signer")
NAME = "durham.json"


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    decision = read_decision(json_text.parse((FOLDER / "examples" / "durham.json").read_bytes()), "$")
    return record.make_record(decision, assess(decision), STATED)


def attacked(made: dict[str, Any], shown: dict[str, Any], folder: Path) -> RecordFiles:
    """Return the files of the record MADE, signed over pages that show another one."""
    json_bytes = record.record_bytes(made)
    pdf = report.pdf_bytes(shown, json_bytes, NAME)
    signed = sign_record(
        json_bytes=json_bytes,
        pdf_bytes=pdf,
        identity=person("Ann"),
        role="proposes",
        verdict="approve",
        time=STATED.time,
        time_source="signer",
    )
    target = RecordFiles.beside(folder / NAME)
    for path, data in zip(target.all, (json_bytes, signed.pdf_bytes, signed.jws_text.encode()), strict=True):
        path.write_bytes(data)
    return target


def judged(target: RecordFiles) -> tuple[Verification, bool | None, str]:
    found = record_files.verify(target, (), STATED.time)
    says = next(one for one in found.findings if one.check == "says")
    return found, says.ok, says.why


def further() -> record_files.Signature:
    return record_files.Signature(identity=person("Ben"), role="approves", verdict="approve", comment="", stated=STATED)


def with_epsilon(made: dict[str, Any], epsilon: float) -> dict[str, Any]:
    shown = copy.deepcopy(made)
    shown["decision"]["epsilon"] = shown["assessment"]["epsilon"] = epsilon
    return shown


def changed(made: dict[str, Any], *path: str | int, to: Any) -> dict[str, Any]:
    shown: Any = copy.deepcopy(made)
    at = shown
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = to
    return shown


SHOWN = {
    "another epsilon": lambda made: with_epsilon(made, 0.01),
    "another outcome": lambda made: changed(made, "decision", "outcome", to="reject"),
    "another title": lambda made: changed(made, "decision", "title", to="REJECTED: epsilon 0.01"),
    "another sentence": lambda made: changed(made, "sentences", "meaning", 0, to="This was rejected: epsilon 0.01."),
    "another justification": lambda made: changed(made, "decision", "justification", to="REJECTED: epsilon 0.01."),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", SHOWN)
@pytest.mark.parametrize("older", [False, True], ids=["of today", "said to be older"])
def test_pages_that_show_something_else_are_refused_and_never_signed_further(
    what: str, older: bool, made: dict[str, Any], tmp_path: Path
) -> None:
    made = dict(made)
    if older:
        del made["document"]
    target = attacked(made, SHOWN[what](made), tmp_path)
    found, ok, _ = judged(target)
    assert ok is not True
    assert not found.ok or ok is None
    if not older:
        assert found.verdict == "refused"
    with pytest.raises(SigningProblem):
        record_files.sign_further(target, further())


@pytest.mark.slow
def test_the_pages_of_a_record_are_rebuilt_to_the_byte(made: dict[str, Any], tmp_path: Path) -> None:
    found, ok, why = judged(attacked(made, made, tmp_path))
    assert (found.verdict, ok, why) == ("unchanged", True, "")
    assert made["document"] == DOCUMENT


@pytest.mark.slow
def test_a_record_of_a_version_to_come_is_not_compared(made: dict[str, Any], tmp_path: Path) -> None:
    newer = dict(made, document=DOCUMENT + 1)
    target = attacked(newer, newer, tmp_path)
    found, ok, why = judged(target)
    assert (found.outcome, ok) == ("undetermined", None)
    assert why in found.open
    with pytest.raises(SigningProblem, match="cannot be compared"):
        record_files.sign_further(target, further())


def test_drawn_lines_may_lie_a_hairs_breadth_apart_and_no_more() -> None:
    line = b"/Span<</MCID 0>>BDC\nq 1 0 0 -1 70.8 764.4 cm 1 2.%03d l S (a\\)b) Tj [<0A0b> 1.5] TJ Q EMC"
    assert binding._drawn_alike(line % 10, line % 50)
    assert not binding._drawn_alike(line % 10, line % 70)
    assert not binding._drawn_alike(line % 10, line.replace(b"(a", b"(c") % 10)
    assert not binding._drawn_alike(line % 10, line % 10 + b" n")


def drawn_beside(made: dict[str, Any], far: float, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """Return the pages of MADE with the first line of each figure begun so FAR beside its place."""
    from dpwizard.report import typesetting

    honest, first = typesetting.svg, re.compile(r'(?<=<path d="M)[0-9.]+')
    with monkeypatch.context() as patch:
        patch.setattr(
            typesetting, "svg", lambda scene: first.sub(lambda x: f"{float(x[0]) + far:.2f}", honest(scene), count=1)
        )
        return report.pdf_bytes(made, record.record_bytes(made), NAME)


@pytest.mark.slow
def test_pages_made_on_another_machine_may_differ_in_the_last_digits_of_their_curves(
    made: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    json_bytes = record.record_bytes(made)
    how = binding.require_same(json_bytes, Document(drawn_beside(made, 0.01, monkeypatch)))
    assert "last digits of drawn lines" in how
    with pytest.raises(SigningProblem):
        binding.require_same(json_bytes, Document(drawn_beside(made, 1.0, monkeypatch)))


# ---------------------------------------------------------------------------- versions of the document


@pytest.mark.slow
def test_released_pages_are_rebuilt_from_what_is_kept_when_template_and_words_change(
    made: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    json_bytes = record.record_bytes(made)
    pdf = report.pdf_bytes(made, json_bytes, NAME)
    kept = tmp_path / "released" / str(DOCUMENT)
    shutil.copytree(FOLDER / "report", kept, ignore=shutil.ignore_patterns("released", "earlier"))
    shutil.copytree(FOLDER / "locale", kept / "locale")
    template = tmp_path / "report.typ"
    template.write_text((FOLDER / "report" / "report.typ").read_text("utf-8").replace("25mm", "20mm"), "utf-8")

    def lying(*parts: str) -> Path:
        return {"released": tmp_path, "report.typ": tmp_path}.get(parts[1], FOLDER / "report").joinpath(*parts[1:])

    monkeypatch.setattr(versions, "resource", lying)
    monkeypatch.setattr(versions, "DOCUMENT", DOCUMENT + 1)
    monkeypatch.setattr(versions, "TYPESETTERS", dict(versions.TYPESETTERS) | {DOCUMENT + 1: "0.15.0"})
    assert binding.require_same(json_bytes, Document(pdf)) == NO_MESSAGE
    newer = dict(made, document=DOCUMENT + 1)
    assert report.pdf_bytes(newer, json_bytes, NAME) != pdf
