"""The public edition leaves out what the officer marked, everywhere, says so, and still verifies and replays."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from dpwizard.decision import read_decision
from dpwizard.errors import FileProblem, InvalidInput, SigningProblem
from dpwizard.records import comparison, editions, record
from dpwizard.report import document as report
from dpwizard.signing import exports, record_files
from tests.samples.decisions import EXAMPLES, STATED, example, recorded
from tests.samples.signed_record import people

SECRETS = ("Quillfeather", "Zebediah", "Octavia", "Kowalczyk", "xylograph", "0.612345", "0.61", "Pettigrew")
WITHHELD = (
    "$.details.advice",
    "$.details.authors",
    "$.details.risks[0]",
    "$.requirements[0].name",
    "$.requirements[2]",
    "$.release.parts[0].name",
)


def decided(withheld: tuple[str, ...] = WITHHELD, **changes: Any) -> dict[str, Any]:
    raw = example("durham", **changes)
    raw["release"]["parts"] = [{"name": "Pettigrew table", "sensitivity": 1, "share": 1}]
    raw["details"] |= {
        "advice": "Counsellor Quillfeather advised caution.",
        "authors": ["Zebediah Unusual"],
        "risks": [
            {"risk": "A leak of the xylograph", "measure": "Locks", "owner": "Octavia Nonpareil"},
            {"risk": "Another"},
        ],
    }
    raw["requirements"][0]["name"] = "Neighbour Kowalczyk"
    raw["requirements"][2] |= {"at_most": 0.612345, "name": "Typical error, Quillfeather"}
    for requirement in raw["requirements"][1:]:
        requirement["part"] = "Pettigrew table"
    raw["justification"] += " Zebediah Unusual wrote this; NEIGHBOUR KOWALCZYK agrees, and so does the Pettigrew table."
    raw["withheld"] = list(withheld)
    return raw


def public(raw: dict[str, Any]) -> dict[str, Any]:
    _, data = recorded(raw)
    return editions.public_record(json.loads(data), hashlib.sha256(data).hexdigest())


def signature(**more: Any) -> record_files.Signature:
    stated = {"identity": people()[0], "role": "proposes", "verdict": "approve", "comment": "", "stated": STATED}
    return record_files.Signature(**(stated | more))


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[record_files.RecordFiles, record_files.RecordFiles]:
    folder = tmp_path_factory.mktemp("editions")
    internal, outward = (record_files.RecordFiles.beside(folder / name) for name in ("internal", "public"))
    record_files.sign_new(read_decision(decided()), internal, signature())
    record_files.sign_public(internal, outward, signature())
    return internal, outward


@pytest.mark.slow
def test_nothing_withheld_stands_anywhere_in_the_public_files(
    both: tuple[record_files.RecordFiles, record_files.RecordFiles],
) -> None:
    internal, outward = both
    assert shutil.which("pdftotext"), "install poppler-utils"
    texts = {path.name: path.read_text("utf-8") for path in (internal.json, outward.json, outward.jws)}
    for target in both:
        done = subprocess.run(["pdftotext", "-raw", str(target.pdf), "-"], capture_output=True, check=True)
        texts[target.pdf.name] = done.stdout.decode("utf-8").replace("-\n", "")
        done = subprocess.run(["pdfinfo", "-struct-text", str(target.pdf)], capture_output=True, check=True)
        texts[target.pdf.name] += done.stdout.decode("utf-8")
    for secret in SECRETS:
        for name, text in texts.items():
            assert (secret.lower() in text.lower()) == (name in ("internal.json", "internal.pdf")), (secret, name)


@pytest.mark.slow
def test_the_public_edition_has_its_own_signatures_and_names_the_internal_one(
    both: tuple[record_files.RecordFiles, record_files.RecordFiles],
) -> None:
    internal, outward = both
    raw = json.loads(outward.json.read_bytes())
    assert (raw["format"], raw["edition"]) == ("dpwizard.record/1", "public")
    assert raw["internal_sha256"] == hashlib.sha256(internal.json.read_bytes()).hexdigest()
    assert [item["where"] for item in raw["left_out"]] == list(WITHHELD)
    found = record_files.verify(outward, (), STATED.time)
    assert (found.verdict, found.complete) == ("unchanged", True)
    assert comparison.replay(raw) == ()
    assert json.loads(internal.json.read_bytes())["edition"] == "internal"


def test_the_report_says_what_is_left_out_and_where() -> None:
    made = public(decided())
    text = " ".join(report.text(report.blocks(made, None)).split())
    assert "Privacy budget decision, public edition" in text
    assert "Left out: Advice; Authors; Residual risks 1; Requirement 1: Name; Requirement 3; Parts 1" in text
    assert "Authors left out of this edition" in text
    assert "Version, " in text.partition("Not assessed")[2]
    assert "Requirement 1 (prior 1 in 10): epsilon at most about 2.19723" in text  # the name alone is left out


def test_a_number_takes_its_requirements_other_numbers_its_answer_and_the_ends_it_binds_with_it() -> None:
    made = public(decided(("$.requirements[0].p",)))
    answer, window = made["assessment"]["answers"][0], made["assessment"]["window"]
    assert made["decision"]["requirements"][0] == {
        "kind": "relative_risk",
        "name": "Neighbour Kowalczyk",
        "enabled": True,
    }
    assert (answer["epsilon"], answer["binding"], answer["at_epsilon"], answer["withheld"]) == (None, {}, {}, True)
    assert (window["upper"], window["withheld"]) == (None, True)
    assert "influence" not in made
    assert comparison.replay(made) == ()
    assert "ends of the window are left out" in " ".join(report.text(report.blocks(made, None)).split())


def test_the_window_stays_where_what_is_left_out_binds_neither_end() -> None:
    made = public(decided(("$.requirements[2].at_most",)))
    assert made["assessment"]["window"]["upper"] == pytest.approx(2.197224577336219)
    assert "0.612345" not in json.dumps(made)
    assert comparison.replay(made) == ()


def test_a_changed_number_in_a_public_edition_is_still_named_by_replay() -> None:
    made = public(decided())
    made["assessment"]["answers"][0]["epsilon"] = 2.3
    assert [difference.where for difference in comparison.replay(made)] == ["$.assessment.answers[0].epsilon"]


def test_what_leaves_a_public_edition_holds_nothing_withheld_either() -> None:
    made = public(decided())
    for text in (exports.web_summary(made, "00"), exports.answers_csv(made), exports.release_code(made)):
        assert not [secret for secret in SECRETS if secret in text]


def test_an_edition_without_anything_marked_is_the_whole_record() -> None:
    made = public(decided(()))
    assert made["left_out"] == []
    assert made["assessment"] == json.loads(recorded(decided(()))[1])["assessment"]


@pytest.mark.parametrize(
    "path",
    [
        "$.epsilon",
        "$.outcome",
        "$.release",
        "$.release.mechanism",
        "$.release.sensitivity",
        "$.details",
        "$.title",
        "$.requirements",
        "$.requirements[0].kind",
        "$.requirements[9]",
        "$.details.unknown",
        "advice",
        "$.details.risks[7]",
        "$.release.parts[0]",
        "",
    ],
)
def test_what_the_public_must_be_told_or_is_not_there_cannot_be_marked(path: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        public(decided((path,)))
    assert refused.value.where == "$.withheld[0]"


def test_a_mark_that_cannot_be_left_out_is_found_before_the_internal_record_is_signed(tmp_path: Path) -> None:
    target = record_files.RecordFiles.beside(tmp_path / "r")
    with pytest.raises(InvalidInput, match="cannot be left out"):
        record_files.sign_new(read_decision(decided(("$.epsilon",))), target, signature())
    assert list(tmp_path.iterdir()) == []


def test_a_public_edition_is_made_of_an_unchanged_internal_one_only(tmp_path: Path) -> None:
    internal, outward = (record_files.RecordFiles.beside(tmp_path / name) for name in ("internal", "public"))
    _, data = recorded(decided())
    internal.json.write_bytes(data)
    with pytest.raises(SigningProblem, match="not as signed"):
        record_files.sign_public(internal, outward, signature())
    with pytest.raises(FileProblem):
        record_files.sign_public(outward, internal, signature())
    with pytest.raises(InvalidInput, match="public edition already"):
        editions.public_record(public(decided()), "00")


@pytest.mark.slow
def test_a_signer_whose_certificate_or_comment_tells_what_is_left_out_is_refused(tmp_path: Path) -> None:
    raw = example("durham", withheld=["$.details.authors"])
    raw["details"]["authors"] = ["Ann Müller"]  # the first signer's own name
    internal, outward = (record_files.RecordFiles.beside(tmp_path / name) for name in ("internal", "public"))
    record_files.sign_new(read_decision(raw), internal, signature())
    with pytest.raises(InvalidInput, match="certificate or comment"):
        record_files.sign_public(internal, outward, signature())
    with pytest.raises(InvalidInput, match="certificate or comment"):
        record_files.sign_public(internal, outward, signature(identity=people()[1], comment="as ann müller wrote"))
    record_files.sign_public(internal, outward, signature(identity=people()[1]))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(path.stem for path in EXAMPLES.glob("*.json")))
def test_every_example_is_typeset_and_replayed_whichever_requirement_is_left_out(name: str) -> None:
    raw = example(name)
    assert comparison.replay(json.loads(recorded(raw)[1])) == ()
    for index in range(len(raw["requirements"])):
        withheld = {**raw, "withheld": [f"$.requirements[{index}]"]}
        if raw["release"].get("allocation") == "needs" and raw["requirements"][index].get("part"):
            with pytest.raises(InvalidInput, match="the shares of the tables follow from it"):
                public(withheld)
            continue
        made = public(withheld)
        assert comparison.replay(made) == ()
        assert report.pdf_bytes(made, record.record_bytes(made), "x.json").startswith(b"%PDF")


def test_a_short_text_is_taken_out_where_it_stands_alone_and_not_within_words() -> None:
    raw = decided(("$.requirements[0].name",))
    raw["requirements"][0]["name"] = "an"
    made = public(raw)
    assert made["sentences"]["answers"][0]["title"] == "Requirement 1"
    assert "Counsellor Quillfeather" in made["decision"]["details"]["advice"]


def test_the_name_of_a_part_is_taken_out_of_the_sentence_that_derives_its_sensitivity() -> None:
    raw = decided(("$.release.parts[0].name",))
    part = {"statistic": "count", "sensitivity": 1.0, "share": 0.5}
    raw["release"] |= {
        "parts": [{"name": "HIV", **part}, {"name": "Flu", **part}],
        "derivation": "HIV: at most 1.\nFlu: at most 1.",
    }
    for requirement in raw["requirements"]:
        if "part" in requirement or requirement["kind"] in (
            "noise_interval",
            "switch_probability",
            "exact_probability",
            "rmse",
        ):
            requirement["part"] = "Flu"
    made = public(raw)
    assert "HIV" not in json.dumps(made)
    assert made["decision"]["release"]["derivation"].endswith("Flu: at most 1.")


@pytest.mark.parametrize(
    ("language", "mark", "name"), [("en", "[withheld 1]", "Requirement 1"), ("de", "[ausgelassen 1]", "Anforderung 1")]
)
def test_a_public_edition_marks_what_it_leaves_out_in_the_language_of_the_record(
    language: str, mark: str, name: str
) -> None:
    raw = decided(("$.requirements[0].name",), language=language)
    secret = raw["requirements"][0]["name"]
    raw["justification"] = f"{secret} knows most."
    made = public(raw)
    assert made["decision"]["justification"] == f"{mark} knows most."
    assert made["sentences"]["answers"][0]["title"] == name
    assert made["left_out"][0]["what"].startswith(f"{name}: ")
    assert record.read_record(made)["decision"]["justification"].startswith(mark)


def test_whatever_is_offered_to_be_marked_can_be_left_out() -> None:
    decision = read_decision(decided(withheld=("$.details.risks[0].owner",)))
    offered = editions.markable(decision)
    assert all(mark.label for mark in offered)
    assert "$.details.risks[0].owner" in [mark.where for mark in offered]  # marked by hand: shown too
    editions.check_withheld(decision.model_copy(update={"withheld": tuple(mark.where for mark in offered)}))
    assert {mark.requirement for mark in offered if mark.where.startswith("$.requirements")} == {0, 1, 2}
