"""Two checkouts that say the same are told from two that do not (benchmarks/compare_checkouts.py)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks.compare_checkouts import main
from benchmarks.first_difference import first_difference

ROOT = Path(__file__).resolve().parents[2]
CHANGED = """
import contextlib, io, runpy, sys
sys.path.insert(0, {root!r})
out, err = io.StringIO(), io.StringIO()
try:
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        runpy.run_path({program!r}, run_name="__main__")
finally:
    sys.stdout.write(out.getvalue().replace({before!r}, {after!r}))
    sys.stderr.write(err.getvalue().replace({before!r}, {after!r}))
"""


def changed(folder: Path, before: str, after: str) -> str:
    """Return a checkout that says AFTER wherever this one says BEFORE."""
    text = CHANGED.format(root=str(ROOT), program=str(ROOT / "main.py"), before=before, after=after)
    (folder / "main.py").write_text(text, "utf-8")
    return str(folder)


def compare(after: str, *options: str) -> int:
    return main([str(ROOT), after, *options])


@pytest.mark.slow
def test_a_checkout_is_equal_to_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert compare(str(ROOT), "--match", "durham", "--only", "solve") == 0
    said = capsys.readouterr().out
    assert re.search(r"solve: \d\d? compared, none different", said)


@pytest.mark.slow
def test_a_changed_number_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    after = changed(tmp_path, "2.197224577336202,", "2.197224577336203,")
    assert compare(after, "--match", "examples/durham", "--only", "solve") == 1
    said = capsys.readouterr().out
    assert (
        "examples/durham: output, $.window.lower\n    before: 2.197224577336202\n    after:  2.197224577336203" in said
    )
    assert "solve: 2 compared, 1 different" in said


@pytest.mark.slow
def test_a_changed_answer_among_many_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    after = changed(tmp_path, "must be greater than 0", "must be above 0")
    assert compare(after, "--match", "broken", "--only", "compute", "--jobs", "1") == 1
    said = capsys.readouterr().out
    assert "broken: nought where more is needed: answer, $.error.message" in said
    assert "1 different" in said


@pytest.mark.slow
def test_a_changed_sentence_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    after = changed(tmp_path, "Both ends meet", "The ends meet")
    assert compare(after, "--match", "examples/durham", "--only", "solve") == 1
    assert "examples/durham: words, line 8" in capsys.readouterr().out


@pytest.mark.slow
def test_a_changed_sentence_in_german_is_told_and_is_no_failure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    after = changed(tmp_path, "gibt es nicht", "ist nicht da")
    assert compare(after, "--match", "a missing file", "--only", "solve") == 0
    said = capsys.readouterr().out
    assert "German, which may change: 1 compared, 1 different\n  broken: a missing file" in said
    assert "ist nicht da" in said


@pytest.mark.slow
def test_another_version_alone_is_no_difference(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from dpwizard import __version__

    after = changed(tmp_path, __version__, "99.0")
    assert compare(after, "--match", "records/first", "--only", "solve") == 0
    assert f"Versions {__version__} and 99.0: neither they nor hashes are compared." in capsys.readouterr().out


@pytest.mark.slow
def test_records_and_reports_are_compared_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    after = changed(tmp_path, "</svg>", "</svg> ")
    assert compare(after, "--match", "records/first", "--only", "sign,report") == 1
    said = capsys.readouterr().out
    assert "sign: 3 compared, none different" in said
    assert "records/first/durham as html: output" in said


@pytest.mark.parametrize(
    "wrong",
    [("--only", "guess"), ("--jobs", "0"), ("--cases", "not_there"), ("--match", "no such name", "--only", "solve")],
)
def test_wrong_arguments_are_told_from_differences(wrong: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    try:
        status: object = compare(str(ROOT), *wrong)
    except SystemExit as stop:
        status = stop.code
    assert status == 2
    assert capsys.readouterr().err


def test_a_folder_without_the_program_is_no_checkout(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="2"):
        compare(str(tmp_path))


@pytest.mark.slow
def test_a_program_that_does_not_start_is_said_to_be_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "main.py").write_text("import a_module_that_is_not_there\n", "utf-8")
    assert compare(str(tmp_path), "--only", "solve") == 2
    assert "does not run" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("before", "after", "where", "shown"),
    [
        ('{"a": [1, 2]}', '{"a": [1, 2.0]}', "$.a[1]", ("2", "2.0")),
        ('{"a": [1, 2]}', '{"a": [1]}', "$.a[1]", ("2", "nothing")),
        ('{"a": 1}', '{"a": 1, "b": null}', "$.b", ("nothing", "null")),
        ('{"a": 1, "b": 2}', '{"b": 2, "a": 1}', "$: the order of the fields", ('["a", "b"]', '["b", "a"]')),
        ('{"a": "1"}', '{"a": 1}', "$.a", ('"1"', "1")),
        ('{"a": true}', '{"a": 1}', "$.a", ("true", "1")),
        ('{"a":1}', '{"a": 1}', "line 1", ('"{\\"a\\":1}"', '"{\\"a\\": 1}"')),
        ('one\n{"a": 1}\n', 'one\n{"a": 2}\n', "line 2, $.a", ("1", "2")),
        ("one\ntwo", "one\ntwo\n", "line 2", ('"two"', '"two\\n"')),
        ("one\n", "one\ntwo", "line 2", ('""', '"two"')),
    ],
)
def test_the_first_difference_is_named(before: str, after: str, where: str, shown: tuple[str, str]) -> None:
    assert first_difference(before, after) == (where, *shown)
    assert first_difference(before, before) is None
