"""The release script, run on made-up microdata: what it publishes, what it refuses, and how much noise it adds."""

from __future__ import annotations

import csv
import hashlib
import importlib.util
import json
import re
import subprocess
import sys
import unicodedata
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from dpwizard.cli import main
from dpwizard.records import release_script, write
from tests.samples.decisions import recorded
from tests.samples.microdata import HEADINGS, TABLES, persons, programme, table

FEW = f"{HEADINGS}\nA,D01,f,17,40\nB,D01,m,18,70\nC,D12,m,70,0\n"
OFTEN = [table("districts", "district", share=1)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with the script of the made-up programme, and its plan."""
    return written(tmp_path, programme())


def written(folder: Path, raw: dict[str, Any]) -> Path:
    for name, text in release_script(recorded(raw), "reference").items():
        (folder / name).write_text(text, "utf-8")
    return folder


def loaded(folder: Path) -> Any:
    spec = importlib.util.spec_from_file_location("made_release", folder / "release.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(folder: Path, data: str | bytes, out: str = "out", plan: str = "plan.json") -> int:
    """Return the exit status of the script in FOLDER on microdata DATA."""
    (folder / "data.csv").write_bytes(data if isinstance(data, bytes) else data.encode())
    places = [str(folder / name) for name in (plan, "data.csv", out)]
    status: int = loaded(folder).main([*places, "--register", str(folder / "register")])
    return status


def published(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.reader(lines))


def test_script_and_plan_run_on_their_own_and_a_second_draw_is_refused(folder: Path) -> None:
    (folder / "data.csv").write_text(persons(2_000), "utf-8")
    command = [sys.executable, "-I", "release.py", "plan.json", "data.csv", "out", "--register", "register"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    assert done.stdout == "4 tables in out; rho 2/25 spent.\n"
    districts = published(folder / "out" / "districts.csv")
    assert districts[0] == ["district", "count"]
    assert len(districts) == 13
    assert abs(sum(int(count) for _, count in districts[1:]) - 2_000) < 10 * 5 * 12**0.5
    public = json.loads((folder / "out" / "public_log.json").read_text("utf-8"))
    assert [table["rho"] for table in public["tables"]] == ["1/50"] * 4
    assert public["tables"][3]["parameter"] == "sigma^2 = 90000"
    confidential = json.loads((folder / "out" / "confidential_log.json").read_text("utf-8"))
    assert (confidential["rows"], confidential["units"]) == (2_000, 2_000)
    log = (folder / "out" / "public_log.json").read_text("utf-8")
    assert not re.search(r"(?<![0-9a-f])2000(?![0-9a-f])", log)  # a hash may hold these digits
    command[5] = "elsewhere"
    again = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (again.returncode, "second draw" in again.stderr) == (1, True)
    (folder / "plan.json.drawn").unlink()  # a copy of the plan in another folder: the register knows it
    assert run(folder, FEW, "third") == 1
    made = [name for name in ("elsewhere", "out", "register", "third") if (folder / name).exists()]
    assert made == ["out", "register"]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (FEW + "A,D02,f,17,1\n", "one unit changes it by a squared distance of up to 2"),
        (FEW + " A ,D02,f,17,1\n", "squared distance of up to 2"),
        (FEW + f"{unicodedata.normalize('NFD', 'É')},D02,f,1,1\nÉ,D03,f,1,1\n", "squared distance of up to 2"),
        (FEW + "D,D13,f,17,1\n", "line 5: district: 'D13' is none of the classes"),
        (FEW + "D,D01,f,-1,1\n", "line 5: age: '-1' is none of the classes"),
        (FEW + "D,D01,f,x,1\n", "line 5: age: 'x' is no number"),
        (FEW + "D,D01,f,17,1.5\n", "no multiple of its step"),
        (FEW + ",D01,f,17,1\n", "line 5: no person"),
        (FEW + "07,D01,f,17,1\n", "line 5: person '07' begins with a zero"),
        (FEW + "D,D01,f,17,1,extra\n", "line 5: has 6 fields, not 5"),
        (FEW + 'D,"D01,f,17,1\n', "line 5: "),
        (FEW.replace("sex", "person"), "line 1: the heading 'person' is given twice"),
        (FEW.replace("sex", "gender"), "line 1: there is no heading 'sex'"),
        (FEW.replace(",", ";"), "line 1: there is no heading 'person'"),
        (f"{HEADINGS}\n", "the file has no rows"),
        ((FEW + "Zoé,D01,f,17,1\n").encode("latin-1"), "line 5: is not UTF-8 text"),
    ],
)
def test_data_that_do_not_keep_the_plan_are_refused_by_line_and_nothing_is_written(
    folder: Path, capsys: pytest.CaptureFixture[str], data: str | bytes, said: str
) -> None:
    assert run(folder, data) == 1
    assert said in capsys.readouterr().err
    assert not (folder / "out").exists()
    assert not (folder / "register").exists()  # nothing was drawn: the budget is whole


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"rho": "1/25"}, "spend 2/25, more than the plan's 1/25"),
        ({"format": "other"}, "its format is not"),
        ({"columns": {"sex": {"classes": ["f", "f"]}}}, "a class is given twice"),
        ({"columns": {"age": {"of": "years", "from": [0, 0], "classes": ["a", "b"]}}}, "do not rise"),
        ({"files": "../districts.csv"}, "is no file name"),
        ({"files": "DISTRICTS.csv"}, "is given twice"),
        ({"rho": "1e-99999"}, "'1e-99999' is no number as 12, 12.5 or 25/2"),
        ({"rho": "1/1" + "0" * 1_000}, "of at most 1,000 digits"),
        ({"rho": "²"}, "is no number"),
        ({"record": {"name": "r"}}, "KeyError: 'sha256'"),
        ({"title": "\ud800", "published_without_noise": []}, "surrogates not allowed"),
        ({"sums": {"districts": []}}, "adds up to nothing"),
    ],
)
def test_a_plan_that_contradicts_itself_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], change: dict[str, Any], said: str
) -> None:
    plan = json.loads((folder / "plan.json").read_text("utf-8"))
    change["columns"] = plan["columns"] | change.get("columns", {})
    plan["tables"][1]["file"] = change.pop("files", plan["tables"][1]["file"])
    (folder / "plan.json").write_text(json.dumps(plan | change), "utf-8")
    assert run(folder, FEW) == 2
    assert said in capsys.readouterr().err
    assert not (folder / "register").exists()


def test_each_unit_is_truncated_by_the_public_rule_that_was_signed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parts = [table("districts", "district", share=1, sensitivity=2), {"name": "all", "mechanism": "exact"}]
    folder = written(tmp_path, programme(parts, cap=2))
    assert run(folder, FEW + "A,D01,f,17,1\n" * 5) == 0
    assert "Not made here, for they have no noise: all." in capsys.readouterr().out
    found = json.loads((folder / "out" / "confidential_log.json").read_text("utf-8"))
    assert (found["rows"], found["rows_dropped"], found["largest_contributions"]) == (8, 4, {"districts": 4})


def test_units_that_replace_each_other_and_tables_said_to_share_none_are_looked_at_in_the_data(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parts = [table("districts", "district", share=1, sensitivity=2)]
    written(tmp_path, programme(parts, neighbours="replace"))
    assert run(tmp_path, FEW + "A,D02,f,17,1\nA,D03,f,17,1\n") == 1  # 3 + 1 would be 4, but a neighbour may have 3 too
    assert "squared distance of up to 6" in capsys.readouterr().err
    written(tmp_path, programme([table(name, "district", share=1, group="apart") for name in ("one", "two")]))
    assert run(tmp_path, FEW) == 1  # everybody is in both


@pytest.mark.parametrize(
    ("mechanism", "budget", "variance", "off"),  # off by six standard errors
    [("discrete_gaussian", Fraction(2, 25), 6.25, 0.14), ("geometric", Fraction(2, 5), 12.42, 0.25)],
)
def test_noise_has_the_planned_variance_and_rehearsals_spend_nothing(
    tmp_path: Path, mechanism: str, budget: Fraction, variance: float, off: float
) -> None:
    raw = programme(OFTEN, mechanism=mechanism) | ({} if mechanism == "discrete_gaussian" else {"epsilon": 0.4})
    raw = {name: value for name, value in raw.items() if name != "rho" or mechanism == "discrete_gaussian"}
    folder = written(tmp_path, raw)
    module = loaded(folder)
    for number in range(3):
        out = folder / f"rehearsal{number}"
        assert module.main([str(folder / "plan.json"), "--rehearse", str(out), "--units", "50"]) == 0
        assert "rehearsal" in json.loads((out / "public_log.json").read_text("utf-8"))
    assert not (folder / "plan.json.drawn").exists()
    with pytest.raises(SystemExit):
        module.main([str(folder / "plan.json"), "data.csv", "out", "--rehearse"])
    errors = module.drawer(mechanism, budget, Fraction(1))([0] * 4_000)
    assert sum(error**2 for error in errors) / 4_000 == pytest.approx(variance, rel=off)


@pytest.mark.soak
def test_200_000_persons_and_the_variances_of_150_rehearsals(tmp_path: Path) -> None:
    folder = written(tmp_path, programme())
    assert run(folder, persons(200_000)) == 0
    module = loaded(folder)
    squares: dict[str, list[int]] = {}
    for number in range(150):
        module.main([str(folder / "plan.json"), "--rehearse", str(folder / f"r{number}"), "--units", "20"])
        for found in json.loads((folder / f"r{number}" / "rehearsal.json").read_text("utf-8")):
            squares.setdefault(found["table"], []).extend(error**2 for error in found["errors"])
    counts = [square for part in TABLES[:3] for square in squares[part["name"]]]
    assert len(counts) == 150 * 48
    assert abs(sum(counts) / len(counts) / 25 - 1) < 0.09  # chi-square: six standard errors
    draw = module.drawer("discrete_gaussian", Fraction(1, 50), Fraction(1))
    pooled = [error**2 for _ in range(1_500) for error in draw([0] * 60)]
    assert abs(sum(pooled) / len(pooled) / 25 - 1) < 0.03


def test_the_command_line_writes_the_script_and_its_plan(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record, script = tmp_path / "persons.json", tmp_path / "release.py"
    record.write_bytes(write(recorded(programme())))
    assert main(["export", str(record), "--to", "script", "--unverified"]) == 2
    assert "a script needs its plan beside it" in capsys.readouterr().err
    command = ["export", str(record), "--to", "script", "--unverified", "--out", str(script)]
    assert main(command) == 0
    assert script.read_text("utf-8").startswith("# Not verified.")
    plan = json.loads((tmp_path / "plan.json").read_text("utf-8"))
    assert plan["record"] == {"name": "r", "sha256": hashlib.sha256(record.read_bytes()).hexdigest()}
    assert run(tmp_path, FEW) == 0
    ledger = ["ledger", str(tmp_path), "--unjudged"]
    capsys.readouterr()
    assert main([*ledger, "--json"]) == 3
    assert json.loads(capsys.readouterr().out)["releases"] == [{"record": "persons.json", "times": 1}]
    (tmp_path / "elsewhere").mkdir()  # a second draw, on a computer that did not know of the first
    log = json.loads((tmp_path / "out" / "public_log.json").read_text("utf-8"))
    (tmp_path / "elsewhere" / "public_log.json").write_text(json.dumps(log), "utf-8")
    assert main(ledger) == 1
    assert "public logs: 2\nReleased more than once:" in capsys.readouterr().out
