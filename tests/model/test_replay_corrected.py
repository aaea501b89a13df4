"""A replay of an old record that rested on a limit which was corrected since says so, as an outcome of its own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dpwizard import __version__, cli, json_text
from dpwizard.decision import read_decision
from dpwizard.language import speaking
from dpwizard.signing import record_files
from dpwizard.signing.replaying import Replayed, replay_file
from tests.samples.decisions import STATED, example, recorded
from tests.samples.signed_record import people

Change = Callable[[dict[str, Any]], Any]
FIND = {"kind": "lee_clifton", "name": "Insurer", "population": 1_000, "posterior": 0.002}
HISTOGRAM = {
    "statistic": "histogram",
    "neighbours": "add_remove",
    "sensitivity": 1,
    "mechanism": "geometric",
    "unit": "one person",
}


def old(made: dict[str, Any]) -> None:
    made["program"]["version"] = "0.1.0"


def half_again(made: dict[str, Any]) -> None:
    """Have the record state a limit that is half as large again as it is proved, as a program that did not know
    better."""
    answer = made["assessment"]["answers"][0]
    answer["epsilon"] *= 1.5
    for window in (made["assessment"]["window"], made["accounting"]["window"]):
        window["upper"] = answer["epsilon"]
    made["assessment"]["inside"] = answer["met"] = True


def limit() -> float:
    made, _ = recorded({"format": "dpwizard.decision/1", "release": HISTOGRAM, "requirements": [FIND]})
    epsilon: float = made["assessment"]["answers"][0]["epsilon"]
    return epsilon


def written(folder: Path, *changes: Change, factor: float = 1.4, **decision: Any) -> Path:
    raw = {
        "format": "dpwizard.decision/1",
        "release": HISTOGRAM,
        "requirements": [FIND],
        "epsilon": round(factor * limit(), 3),
        **decision,
    }
    made, _ = recorded(raw)
    for change in changes:
        change(made)
    path = folder / "old.json"
    path.write_bytes(json_text.document(made))
    return path


def replayed(path: Path) -> Replayed:
    return replay_file(path, STATED.time)


def test_an_old_limit_above_what_is_proved_is_told_as_corrected_with_the_place_of_the_signed_epsilon(
    tmp_path: Path,
) -> None:
    found = replayed(written(tmp_path, half_again, old))
    assert (found.verdict, found.sound) == ("corrected", False)
    (one,) = found.corrected.corrections
    assert (one.requirement, one.kind, one.reason, one.since) == (0, "lee_clifton", "value", "0.2.0")
    assert one.now == pytest.approx(limit())
    assert one.was == pytest.approx(1.5 * limit())
    said = " ".join(found.told())
    assert "“Insurer”: the record was made by version 0.1.0 of this program, which allowed epsilon" in said
    assert "That was above what is proved" in said
    assert "lies outside today's window" in said
    assert "lies inside today's window" in " ".join(replayed(written(tmp_path, half_again, old, factor=0.9)).told())


def test_the_same_difference_in_a_record_of_today_only_differs(tmp_path: Path) -> None:
    found = replayed(written(tmp_path, half_again))
    assert json.loads((tmp_path / "old.json").read_text("utf-8"))["program"]["version"] == __version__ != "0.1.0"
    assert (found.verdict, found.told()) == ("differs", ())


def test_a_limit_that_rises_and_a_kind_that_was_not_corrected_only_differ(tmp_path: Path) -> None:
    def lower(made: dict[str, Any]) -> None:
        made["assessment"]["answers"][0]["epsilon"] *= 0.5

    assert replayed(written(tmp_path, lower, old)).verdict == "differs"
    durham, _ = recorded(example("durham"))
    half_again(durham)
    old(durham)
    path = tmp_path / "durham.json"
    path.write_bytes(json_text.document(durham))
    assert replayed(path).verdict == "differs"


def test_what_no_correction_explains_still_differs_and_the_correction_is_told_beside_it(tmp_path: Path) -> None:
    found = replayed(
        written(tmp_path, half_again, old, lambda made: made["accounting"].update(epsilon_all_repetitions=0.5))
    )
    assert found.verdict == "differs"
    assert "above what is proved" in " ".join(found.told())


@pytest.mark.parametrize(
    ("version", "verdict"),
    [
        ("1", "differs"),
        ("0.1.0rc1", "differs"),
        *((version, "unreadable") for version in (None, 3, "", "9" * 40, ["0.1.0"])),
    ],
)
def test_a_record_that_names_no_older_version_is_never_called_corrected(
    tmp_path: Path, version: Any, verdict: str
) -> None:
    found = replayed(written(tmp_path, half_again, lambda made: made["program"].update(version=version)))
    assert found.verdict == verdict


@pytest.mark.slow
def test_a_record_changed_after_it_was_signed_is_not_called_corrected(tmp_path: Path) -> None:
    target = record_files.RecordFiles.beside(tmp_path / "r")
    raw = {
        "format": "dpwizard.decision/1",
        "release": HISTOGRAM,
        "requirements": [FIND],
        "epsilon": 0.01,
        "outcome": "refer",
    }
    signature = record_files.Signature(
        identity=people()[0], role="proposes", verdict="refer", comment="", stated=STATED
    )
    record_files.sign_new(read_decision(raw), target, signature)
    made = json.loads(target.json.read_bytes())
    half_again(made)
    old(made)
    target.json.write_bytes(json_text.document(made))
    found = replayed(target.json)
    assert (found.verdict, found.causes[0].kind) == ("differs", "tampering")


def test_the_command_line_tells_it_in_words_and_in_json_and_still_exits_with_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, half_again, old)
    assert cli.main(["replay", str(path)]) == 1
    assert "That was above what is proved" in capsys.readouterr().err
    assert cli.main(["replay", "--all", str(tmp_path)]) == 1
    told = capsys.readouterr()
    row = json.loads(told.out)
    assert (row["verdict"], row["inside"], row["corrections"][0]["kind"]) == ("corrected", False, "lee_clifton")
    assert "1 rested on what this program has corrected since." in told.err


def test_it_is_told_in_german_too(tmp_path: Path) -> None:
    with speaking("de"):
        said = " ".join(replayed(written(tmp_path, half_again, old)).told())
    assert "Das war mehr, als bewiesen ist" in said
    assert "außerhalb des heutigen Spielraums" in said


# ------------------------------------------------------------------------------ records as version 0.1.0 made them

CORRECTED = Path(__file__).resolve().parents[1] / "golden" / "corrected"
TOLD = {
    "tables": ("tables", "outside"),
    "histogram": ("value", "outside"),
    "guess_spent": ("before_all", "outside"),
    "guess_tables": ("tables", "nothing can be said"),
    "or": ("independent", "outside"),
    "compensation": ("shifts", "nothing can be said"),
    "switch": ("threshold", "inside"),
    "gaussian_tables": ("gaussian_tables", "inside"),
    "geometric_mean": ("whole_numbers", "nothing can be said"),
    "contributions": ("contributions", "inside"),
    "log_score": ("value", "outside"),
    "noiseless": ("without_noise", ""),
}


@pytest.mark.parametrize("name", TOLD)
def test_a_record_of_version_0_1_0_on_a_corrected_limit_says_why_and_where_its_epsilon_lies_now(name: str) -> None:
    found = replayed(CORRECTED / f"{name}.json")
    reason, place = TOLD[name]
    assert found.verdict == "corrected", [difference.where for difference in found.differences]
    assert reason in {one.reason for one in found.corrected.corrections}
    assert place in found.corrected.place
    for one in found.corrected.corrections:
        if one.was is not None and one.now is not None:
            assert one.now <= one.was or one.kind in ("rmse", "switch_probability")


def test_what_was_spent_before_all_releases_left_at_most_0_286_where_2_09_was_allowed() -> None:
    (one,) = replayed(CORRECTED / "guess_spent.json").corrected.corrections
    assert one.was == pytest.approx(2.09, abs=0.01)
    assert one.now is not None
    assert one.now <= 0.2863


def test_older_record_that_rested_on_nothing_corrected_differs_in_its_sentences_alone() -> None:
    found = replayed(CORRECTED / "plain.json")
    assert found.verdict == "differs"
    assert {difference.where.split(".")[1] for difference in found.differences} == {"sentences"}
    assert [cause.kind for cause in found.causes] == ["version"]


def test_an_answer_that_an_old_record_lacked_is_told_as_proved_since() -> None:
    found = replayed(CORRECTED / "lee_spent.json")
    assert found.verdict == "corrected"
    (one,) = found.corrected.corrections
    assert (one.reason, one.since, one.was, one.status_was) == ("earlier", "0.3.0", None, "not_applicable")
    assert "More is proved today" in one.words
