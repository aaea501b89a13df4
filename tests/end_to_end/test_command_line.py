"""The command line as a stranger runs it: in a process of its own, with files and pipes."""

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

ROOT = FOLDER.parent
DURHAM = FOLDER / "examples" / "durham.json"
TIME = "2026-11-21T10:00:00+00:00"


def run(
    *arguments: str | Path, text: str | None = None, folder: Path | None = None
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "main.py"), *map(str, arguments)]
    return subprocess.run(
        command,
        input=text,
        capture_output=True,
        text=True,
        cwd=folder,
        check=False,
        env={**os.environ, "PYTHONUTF8": "1"},
    )


def changed(**fields: object) -> str:
    return json.dumps({**json.loads(DURHAM.read_text("utf-8")), **fields})


@pytest.fixture(scope="module")
def identity(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("identity")
    passphrase = folder / "passphrase"
    passphrase.write_text("correct horse battery staple\n")
    made = run(
        "identity",
        "create",
        "--name",
        "A. Officer",
        "--out",
        folder / "a.p12",
        "--passphrase-file",
        passphrase,
        "--at",
        TIME,
    )
    assert made.returncode == 0, made.stderr
    return folder / "a.p12", passphrase


def sign(decision: Path, out: Path, identity: tuple[Path, Path], *more: str) -> subprocess.CompletedProcess[str]:
    return run(
        "sign", decision, "--identity", identity[0], "--passphrase-file", identity[1], "--out", out, "--at", TIME, *more
    )


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory, identity: tuple[Path, Path]) -> Path:
    out = tmp_path_factory.mktemp("record") / "durham"
    signed = sign(DURHAM, out, identity)
    assert signed.returncode == 0, signed.stderr
    return out.with_suffix(".json")


def test_the_command_that_pip_installs_reads_the_command_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    named = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]["dpwizard"]
    module, _, function = named.partition(":")
    monkeypatch.setattr(sys, "argv", ["dpwizard", "schema", "decision"])
    assert getattr(import_module(module), function)() == 0
    assert "$schema" in json.loads(capsys.readouterr().out)


@pytest.mark.slow
def test_solve_answers_with_one_line_of_json_and_words_beside_it() -> None:
    done = run("solve", DURHAM)
    assert done.returncode == 0
    assert done.stdout.count("\n") == 1
    assert json.loads(done.stdout)["window"]["touching"] is True
    assert "one epsilon keeps every requirement" in done.stderr
    assert "at most about 2.19723" in done.stderr
    assert "at least about 2.19723" in done.stderr
    assert "The chosen epsilon is that one" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("epsilon", "words"),
    [
        (2.19, "the chance of crossing is 10.07 in 100"),
        (2.20, "breaks the profile of “Neighbour who knows the family”"),
    ],
)
def test_an_epsilon_beside_the_window_is_said_in_words_and_exits_with_1(epsilon: float, words: str) -> None:
    done = run("solve", "-", text=changed(epsilon=epsilon))
    assert done.returncode == 1
    assert words in done.stderr


@pytest.mark.slow
def test_many_decisions_one_a_line_give_one_answer_each_and_the_worst_status() -> None:
    done = run("solve", "-", "--quiet", text="\n".join([changed(), changed(epsilon=2.0), '{"format": "x"}', changed()]))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == 4
    assert answers[2]["error"]["where"] == "$.format"
    assert done.returncode == 2


@pytest.mark.slow
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
    done = run("solve", "-", text=text)
    assert done.returncode == 2
    error = json.loads(done.stdout)["error"]
    assert error["where"] == where
    assert error["hint"]
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_compute_answers_each_line_by_its_id_in_order() -> None:
    lines = [
        '{"id": 1, "fn": "accuracy.noise", "args": {"mechanism": "laplace", "epsilon": 2, "sensitivity": 1}}',
        '{"id": "b", "fn": "accuracy.noise", "args": {"mechanism": "laplace", "epsilon": NaN, "sensitivity": 1}}',
        '{"id": 3, "fn": "relative_risk.epsilon_at", "args": {"p": 0.5, "q": 1, "ratio": 2}}',
        '{"id": 4, "fn": "accuracy.nois", "args": {}}',
        '{"id": 5, "fn": "os.system", "args": {"command": "true"}}',
        "not json",
    ]
    done = run("compute", text="\n".join(lines))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == [1, "b", 3, 4, 5, None]
    assert answers[0]["value"]["mae"] == 0.5
    assert answers[1]["error"]["where"] == "$.args.epsilon"
    assert answers[2] == {"id": 3, "ok": True, "value": None}
    assert "accuracy.noise" in answers[3]["error"]["hint"]
    assert not answers[4]["ok"]
    assert done.returncode == 2


@pytest.mark.slow
def test_a_signed_record_is_verified_and_replayed(record: Path, identity: tuple[Path, Path]) -> None:
    assert {path.name for path in record.parent.iterdir()} == {"durham.json", "durham.1.jws", "durham.pdf"}
    verified = run("verify", record)
    assert verified.returncode == 3, verified.stdout
    assert "Unchanged since signing" in verified.stdout
    assert "identity not established" in verified.stdout
    assert "Outcome: undetermined." in verified.stdout
    assert run("verify", record, "--trust", identity[0].with_suffix(".crt")).returncode == 0
    machine = json.loads(run("verify", record, "--json").stdout)
    assert (machine["verdict"], machine["outcome"], machine["exit_status"]) == ("unchanged", "undetermined", 3)
    replayed = run("replay", record)
    assert replayed.returncode == 0
    assert replayed.stdout == ""


@pytest.mark.slow
def test_a_changed_number_in_a_record_is_found_by_verify_and_named_by_replay(record: Path, tmp_path: Path) -> None:
    raw = json.loads(record.read_text("utf-8"))
    raw["assessment"]["answers"][0]["epsilon"] = 2.3
    (tmp_path / "durham.json").write_bytes(json_text.document(raw))
    replayed = run("replay", tmp_path / "durham.json")
    assert replayed.returncode == 1
    assert json.loads(replayed.stdout)["where"] == "$.assessment.answers[0].epsilon"
    for ending in (".pdf", ".1.jws"):
        (tmp_path / f"durham{ending}").write_bytes(record.with_name(f"durham{ending}").read_bytes())
    verified = run("verify", tmp_path / "durham.json")
    assert verified.returncode == 1
    assert "the JSON file was changed after signature 1" in verified.stdout


@pytest.mark.slow
def test_a_second_signer_with_another_identity_approves(
    record: Path, tmp_path: Path, identity: tuple[Path, Path]
) -> None:
    for ending in (".json", ".pdf", ".1.jws"):
        (tmp_path / f"durham{ending}").write_bytes(record.with_name(f"durham{ending}").read_bytes())
    other = tmp_path / "b.p12"
    run("identity", "create", "--name", "B. Board", "--out", other, "--passphrase-file", identity[1], "--at", TIME)
    done = run(
        "sign",
        tmp_path / "durham.json",
        "--identity",
        other,
        "--passphrase-file",
        identity[1],
        "--role",
        "approves",
        "--at",
        TIME,
    )
    assert done.returncode == 0, done.stderr
    signers = json.loads(run("verify", tmp_path / "durham.json", "--json").stdout)["signers"]
    assert [(signer["name"], signer["role"]) for signer in signers] == [
        ("A. Officer", "proposes"),
        ("B. Board", "approves"),
    ]


@pytest.mark.slow
def test_an_approval_that_is_incomplete_or_outside_the_window_is_refused_and_nothing_is_written(
    tmp_path: Path, identity: tuple[Path, Path]
) -> None:
    for name, fields, words in (
        ("a", {"epsilon": 2.19}, "misses “Healthy People target”"),
        ("b", {"justification": None}, "Not answered yet"),
    ):
        decision = tmp_path / f"{name}.json"
        decision.write_text(changed(**fields), "utf-8")
        done = sign(decision, tmp_path / f"out-{name}", identity)
        assert done.returncode == 2
        assert words in done.stderr
        assert not list(tmp_path.glob(f"out-{name}*"))


@pytest.mark.slow
def test_a_record_is_never_overwritten_and_a_wrong_passphrase_says_no_more(
    record: Path, tmp_path: Path, identity: tuple[Path, Path]
) -> None:
    before = record.read_bytes()
    assert "exists already" in sign(DURHAM, record.with_suffix(""), identity).stderr
    assert record.read_bytes() == before
    wrong = tmp_path / "wrong"
    wrong.write_text("incorrect horse")
    done = sign(DURHAM, tmp_path / "x", (identity[0], wrong))
    assert done.returncode == 2
    assert "incorrect horse" not in done.stdout + done.stderr
    assert not list(tmp_path.glob("x*"))


@pytest.mark.parametrize("name", ["decision", "assessment", "record", "compute"])
def test_every_schema_is_printed_as_kept_in_the_resources(name: str) -> None:
    done = run("schema", name)
    assert done.returncode == 0
    assert done.stdout == (FOLDER / "schema" / f"{name}.json").read_text("utf-8")


@pytest.mark.slow
def test_wrong_arguments_are_said_with_the_usage() -> None:
    done = run("solve")
    assert done.returncode == 2
    assert "usage: dpwizard solve" in done.stderr
    assert run("--version").stdout.startswith("dpwizard ")


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_sampled_sensitivity_is_read_off_a_table_of_public_data_and_says_what_it_is_not(tmp_path: Path) -> None:
    table = tmp_path / "pairs.csv"
    table.write_text("fx,fy\n" + "".join(f"{i},{i + i % 7}\n" for i in range(1000)), "utf-8")
    done = run("sensitivity", table, "--confidence", "0.9", "--origin", "public")
    assert done.returncode == 0
    assert json.loads(done.stdout)["sensitivity"] == 6.0
    assert "Never confidential data" in done.stderr
    table.write_text("1,2\n3,x\n", "utf-8")
    wrong = run("sensitivity", table, "--confidence", "0.9", "--origin", "public")
    assert wrong.returncode == 2
    assert "line" in wrong.stderr
