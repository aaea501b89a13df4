"""The command line as a stranger uses it: files, pipes and exit statuses; twice in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpwizard import cli
from dpwizard.base import json_text
from dpwizard.base.resource_files import FOLDER
from tests.end_to_end.whole_way import Call, run

pytestmark = pytest.mark.slow

ROOT = FOLDER.parent
DURHAM = FOLDER / "examples" / "durham.json"
TIME = "2026-11-21T10:00:00+00:00"


def started(*arguments: str, text: str = "") -> Call:
    """Run the program in a process of its own."""
    command = [sys.executable, str(ROOT / "main.py"), *arguments]
    surroundings = {**os.environ, "PYTHONUTF8": "1"}
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False, env=surroundings)
    return Call(done.returncode, done.stdout, done.stderr)


def solved(text: str) -> Call:
    """Solve decisions given at standard input, one a line."""
    return run("solve", "-", "--quiet", given=text.encode())


def changed(**fields: object) -> str:
    return json.dumps({**json.loads(DURHAM.read_text("utf-8")), **fields})


@pytest.fixture(scope="module")
def identity(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("identity")
    passphrase = folder / "passphrase"
    passphrase.write_text("correct horse battery staple\n")
    key = folder / "a.p12"
    given = ("--out", str(key), "--passphrase-file", str(passphrase), "--at", TIME)
    made = run("identity", "create", "--name", "A. Officer", *given)
    assert made.status == 0, made
    return key, passphrase


def sign(decision: Path, out: Path, identity: tuple[Path, Path]) -> Call:
    key = ("--identity", str(identity[0]), "--passphrase-file", str(identity[1]))
    return run("sign", str(decision), *key, "--out", str(out), "--at", TIME)


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory, identity: tuple[Path, Path]) -> Path:
    out = tmp_path_factory.mktemp("record") / "durham"
    signed = sign(DURHAM, out, identity)
    assert signed.status == 0, signed
    return out.with_suffix(".json")


def test_the_command_that_pip_installs_reads_the_command_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    named = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]["dpwizard"]
    module, _, function = named.partition(":")
    monkeypatch.setattr(sys, "argv", ["dpwizard", "schema", "decision"])
    assert getattr(import_module(module), function)() == 0
    assert "$schema" in json.loads(capsys.readouterr().out)


def test_solve_answers_with_one_line_of_json_and_words_beside_it() -> None:
    done = started("solve", str(DURHAM))
    assert done.status == 0
    assert done.out.count("\n") == 1
    assert json.loads(done.out)["window"]["touching"] is True
    assert "Only one epsilon meets every requirement" in done.err
    assert "at most about 2.19723" in done.err
    assert "at least about 2.19723" in done.err
    assert "It is the one chosen." in done.err


def test_an_epsilon_beside_the_window_is_said_in_words_and_exits_with_1() -> None:
    for epsilon, words in (
        (2.19, "the chance of landing on the wrong side of the threshold is 10.07 in 100"),
        (2.20, "is too high for “Neighbour who knows the family”"),
    ):
        done = run("solve", "-", given=changed(epsilon=epsilon).encode())
        assert done.status == 1
        assert words in done.err


def test_many_decisions_one_a_line_give_one_answer_each_and_the_worst_status() -> None:
    done = solved("\n".join([changed(), changed(epsilon=2.0), '{"format": "x"}', changed()]))
    answers = [json.loads(line) for line in done.out.splitlines()]
    assert len(answers) == 4
    assert answers[2]["error"]["where"] == "$.format"
    assert done.status == 2


@pytest.mark.parametrize(
    ("text", "where"),
    [
        (changed(epsilon=-1), "$.epsilon"),
        (changed(surprise=1), "$.surprise"),
        (changed(requirements=[{"kind": "rmse", "at_most": "x"}]), "$.requirements[0].at_most"),
        (changed(requirements=[{"kind": "nonsense"}]), "$.requirements[0].kind"),
        (changed(requirements=[{"kind": "relative_risk", "p": 1.2}]), "$.requirements[0].p"),
        ("[1, 2", "$"),
        ("", "$"),
        ('{"format": "dpwizard.decision/1", "epsilon": NaN}', "$.epsilon"),
    ],
)
def test_wrong_input_names_field_value_and_remedy_and_exits_with_2(text: str, where: str) -> None:
    done = solved(text)
    assert done.status == 2
    error = json.loads(done.out)["error"]
    assert error["where"] == where
    assert error["hint"]
    assert "Traceback" not in done.err


def test_compute_answers_each_line_by_its_id_in_order() -> None:
    lines = [
        '{"id": 1, "fn": "accuracy.noise", "args": {"mechanism": "laplace", "epsilon": 2, "sensitivity": 1}}',
        '{"id": "b", "fn": "accuracy.noise", "args": {"mechanism": "laplace", "epsilon": NaN, "sensitivity": 1}}',
        '{"id": 3, "fn": "relative_risk.epsilon_at", "args": {"p": 0.5, "q": 1, "ratio": 2}}',
        '{"id": 4, "fn": "accuracy.nois", "args": {}}',
        '{"id": 5, "fn": "os.system", "args": {"command": "true"}}',
        "not json",
    ]
    done = started("compute", text="\n".join(lines))
    answers = [json.loads(line) for line in done.out.splitlines()]
    assert [answer["id"] for answer in answers] == [1, "b", 3, 4, 5, None]
    assert answers[0]["value"]["mae"] == 0.5
    assert answers[1]["error"]["where"] == "$.args.epsilon"
    assert answers[2] == {"id": 3, "ok": True, "value": None}
    assert "accuracy.noise" in answers[3]["error"]["hint"]
    assert not answers[4]["ok"]
    assert done.status == 2


def test_a_signed_record_is_verified_and_replayed(record: Path, identity: tuple[Path, Path]) -> None:
    assert {path.name for path in record.parent.iterdir()} == {"durham.json", "durham.1.jws", "durham.pdf"}
    verified = run("verify", str(record))
    assert verified.status == 3, verified
    assert "Unchanged since signing" in verified.out
    assert "not trusted here" in verified.out
    assert "Outcome: undetermined." in verified.out
    assert run("verify", str(record), "--trust", str(identity[0].with_suffix(".crt"))).status == 0
    machine = json.loads(run("verify", str(record), "--json").out)
    assert (machine["verdict"], machine["outcome"], machine["exit_status"]) == ("unchanged", "undetermined", 3)
    replayed = run("replay", str(record))
    assert (replayed.status, replayed.out) == (0, "")


def test_a_changed_number_in_a_record_is_found_by_verify_and_named_by_replay(record: Path, tmp_path: Path) -> None:
    raw = json.loads(record.read_text("utf-8"))
    raw["assessment"]["answers"][0]["epsilon"] = 2.3
    copy = tmp_path / "durham.json"
    copy.write_bytes(json_text.document(raw))
    replayed = run("replay", str(copy))
    assert replayed.status == 1
    assert json.loads(replayed.out)["where"] == "$.assessment.answers[0].epsilon"
    for ending in (".pdf", ".1.jws"):
        (tmp_path / f"durham{ending}").write_bytes(record.with_name(f"durham{ending}").read_bytes())
    verified = run("verify", str(copy))
    assert verified.status == 1
    assert "the JSON file was changed after signature 1" in verified.out


def test_an_approval_that_is_incomplete_or_outside_the_window_is_refused_and_nothing_is_written(
    tmp_path: Path, identity: tuple[Path, Path]
) -> None:
    for name, fields, words in (
        ("a", {"epsilon": 2.19}, "is too low for “Healthy People target”"),
        ("b", {"justification": None}, "Not answered yet"),
    ):
        decision = tmp_path / f"{name}.json"
        decision.write_text(changed(**fields), "utf-8")
        done = sign(decision, tmp_path / f"out-{name}", identity)
        assert done.status == 2
        assert words in done.err
        assert not list(tmp_path.glob(f"out-{name}*"))


def test_a_record_is_never_overwritten(record: Path, identity: tuple[Path, Path]) -> None:
    before = record.read_bytes()
    assert "already exists" in sign(DURHAM, record.with_suffix(""), identity).err
    assert record.read_bytes() == before


def test_every_schema_is_printed_as_kept_in_the_resources() -> None:
    for name in ("decision", "assessment", "record", "compute"):
        done = run("schema", name)
        assert done.status == 0
        assert done.out == (FOLDER / "schema" / f"{name}.json").read_text("utf-8")


def test_wrong_arguments_are_said_with_the_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["solve"]) == 2
    assert "usage: dpwizard solve" in capsys.readouterr().err
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("dpwizard ")


@given(st.one_of(st.text(max_size=200), st.binary(max_size=200).map(lambda data: data.decode("latin-1"))))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_text_whatever_brings_a_traceback(
    capsys: pytest.CaptureFixture[str], tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "hostile.json"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    for command in ("solve", "compute", "replay", "report", "verify"):
        status = cli.main([command, str(path)])
        caught = capsys.readouterr()
        assert status in (0, 1, 2, 3)
        assert "Traceback" not in caught.err
        assert "a defect of this program" not in caught.err + caught.out


def test_a_sampled_sensitivity_is_read_off_a_table_of_public_data_and_says_what_it_is_not(tmp_path: Path) -> None:
    table = tmp_path / "pairs.csv"
    table.write_text("fx,fy\n" + "".join(f"{i},{i + i % 7}\n" for i in range(1000)), "utf-8")
    asked = ("sensitivity", str(table), "--confidence", "0.9", "--origin", "public")
    done = run(*asked)
    assert done.status == 0
    assert json.loads(done.out)["sensitivity"] == 6.0
    assert "Never use confidential data" in done.err
    table.write_text("1,2\n3,x\n", "utf-8")
    wrong = run(*asked)
    assert wrong.status == 2
    assert "line" in wrong.err
