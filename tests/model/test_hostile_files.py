"""Hostile project and record files: refused in words, in bounded time and memory, and nothing is changed."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwizard.base import json_text
from dpwizard.base.errors import DPWizardError, FileProblem
from dpwizard.decision import FORMAT, read_decision, to_json
from dpwizard.projects.project import LARGEST, read_project
from tests.samples.decisions import example
from tests.samples.drawn import draw
from tests.soak import fuzz_readers

MEMORY = 2_000  # megabytes of address space for the reader of one hostile file
GOOD = json.dumps(example("durham"))


def nested(depth: int, opening: str, closing: str) -> bytes:
    return (f'{{"format": "{FORMAT}", "title": ' + opening * depth + "0" + closing * depth + "}").encode()


HOSTILE: dict[str, bytes] = {
    "empty": b"",
    "cut off": GOOD[:-40].encode(),
    "utf-16": GOOD.encode("utf-16"),
    "utf-32": GOOD.encode("utf-32"),
    "latin-1": GOOD.replace("Durham", "Dürham").encode("latin-1"),
    "zeros": b"\0" * 10_000,
    "two documents": GOOD.encode() * 2,
    "a list": b"[]",
    "text": b'"dpwizard.decision/1"',
    "lists 100,000 deep": nested(100_000, "[", "]"),
    "objects 100,000 deep": nested(100_000, '{"a":', "}"),
    "lists 800 deep": nested(800, "[", "]"),
    "objects 400 deep": nested(400, '{"a":', "}"),
    "NaN": GOOD.replace('"epsilon": 2.1', '"epsilon": NaN, "x": 2.1').encode(),
    "Infinity": b'{"format": "dpwizard.decision/1", "epsilon": Infinity}',
    "1e999": b'{"format": "dpwizard.decision/1", "epsilon": 1e999}',
    "a number of 100,000 digits": b'{"format": "dpwizard.decision/1", "epsilon": ' + b"9" * 100_000 + b"}",
    "a fraction of 100,000 digits": b'{"format": "dpwizard.decision/1", "release": {"contributions": 0.'
    + b"1" * 100_000
    + b"}}",
    "a huge whole number": b'{"format": "dpwizard.decision/1", "release": {"contributions": 1' + b"0" * 350 + b"}}",
    "a key twice": b'{"format": "dpwizard.decision/1", "title": "a", "title": "b"}',
    "half a character": b'{"format": "dpwizard.decision/1", "title": "\\ud800"}',
    "2 MB of text": json.dumps(
        {"format": FORMAT, "requirements": [{"kind": "budget", "off_reason": "x" * 90_000}] * 25}
    ).encode(),
    "6,000 requirements": json.dumps({"format": FORMAT, "requirements": [{"kind": "budget"}] * 6_000}).encode(),
    "a record without its parts": b'{"format": "dpwizard.record/1"}',
    "a record with lists for objects": b'{"format": "dpwizard.record/1", "decision": [], "assessment": [], "made": [], '
    b'"sentences": []}',
    "a record of another version": b'{"format": "dpwizard.record/99", "decision": {}}',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused_in_words_and_stays_as_it_is(tmp_path: Path, name: str) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(HOSTILE[name])
    with pytest.raises(DPWizardError) as told:
        read_project(path)
    assert told.value.message
    assert told.value.hint
    assert len(str(told.value)) < 1_000
    assert path.read_bytes() == HOSTILE[name]
    assert list(tmp_path.iterdir()) == [path]


def test_a_byte_order_mark_is_no_hindrance(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_bytes(GOOD.encode("utf-8-sig"))
    assert read_project(tmp_path / "x.json").decision == read_decision(json.loads(GOOD))


LARGE: dict[str, Callable[[], bytes]] = {
    "100 MB of spaces": lambda: b" " * 100 * 2**20,
    "small lists": lambda: b'{"format": "dpwizard.decision/1", "title": [' + b"[]," * (10 * 2**20) + b"[]]}",
    "small objects": lambda: b'{"format": "dpwizard.decision/1", "title": [' + b"{}," * (10 * 2**20) + b"{}]}",
    "numbers": lambda: b'{"format": "dpwizard.decision/1", "title": [' + b"1," * (15 * 2**20) + b"1]}",
    "keys": lambda: b"{" + b",".join(b'"%d":0' % n for n in range(2**21)) + b"}",
    "one long text": lambda: b'{"format": "dpwizard.decision/1", "title": "' + b"x" * (31 * 2**20) + b'"}',
    "many keys and one of them twice": lambda: b"{" + b",".join(b'"%d":0' % n for n in (*range(2**18), 5)) + b"}",
    "opened and never closed": lambda: b'{"format": "dpwizard.decision/1", "title": ' + b'{"a":' * (6 * 2**20),
}


@pytest.mark.slow
def test_large_files_are_refused_within_bounds_of_memory(tmp_path: Path) -> None:
    for name, made in LARGE.items():
        (tmp_path / f"{name}.json").write_bytes(made())
    code = (
        "import resource, sys; from pathlib import Path;"
        "from dpwizard.projects.project import read_project; from dpwizard.base.errors import DPWizardError;"
        f"resource.setrlimit(resource.RLIMIT_AS, ({MEMORY} * 2**20,) * 2)\n"
        "for path in sorted(Path(sys.argv[1]).iterdir()):\n"
        "    try:\n        read_project(path)\n    except DPWizardError:\n        print(path.stem)"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False, timeout=240
    )
    assert ended.returncode == 0, ended.stderr[-500:]
    assert ended.stdout.split("\n")[:-1] == sorted(LARGE)


def test_a_file_of_the_largest_size_is_the_largest_that_is_read(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    with path.open("wb") as stream:
        stream.truncate(LARGEST + 1)
    with pytest.raises(FileProblem, match="larger than 32 MB"):
        read_project(path)


def test_what_is_no_regular_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "round").symlink_to(tmp_path / "circle")
    (tmp_path / "circle").symlink_to(tmp_path / "round")
    (tmp_path / "endless").symlink_to("/dev/zero")
    (tmp_path / "nowhere").symlink_to(tmp_path / "missing")
    os.mkfifo(tmp_path / "pipe")  # opening it in the ordinary way would wait for ever
    (tmp_path / "folder").mkdir()
    for name in ("round", "endless", "nowhere", "pipe", "folder", "missing"):
        with pytest.raises(FileProblem):
            read_project(tmp_path / name)


@given(st.binary(max_size=400))
def test_any_bytes_are_read_or_refused_in_words(data: bytes) -> None:
    try:
        read_decision(json_text.parse(data))
    except DPWizardError as problem:
        str(problem).encode("utf-8")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=12,
)


@given(st.randoms(use_true_random=False), JSON, st.integers(0, 10_000))
def test_a_well_formed_decision_with_anything_put_anywhere_is_read_or_refused_in_words(
    dice: random.Random, anything: object, number: int
) -> None:
    raw = draw(dice, 0.4)
    places: list[tuple[Callable[[Any, object], None], object]] = []

    def visit(here: object) -> None:
        if isinstance(here, dict | list):
            for key, value in here.items() if isinstance(here, dict) else enumerate(here):
                places.append((here.__setitem__, key))
                visit(value)

    visit(raw)
    put, key = places[number % len(places)]
    put(key, anything)
    try:
        decision = read_decision(raw)
    except DPWizardError as problem:
        str(problem).encode("utf-8", "surrogatepass")
    else:
        assert read_decision(json.loads(json_text.document(to_json(decision)))) == decision


@pytest.mark.soak
def test_what_is_drawn_from_the_schema_is_mostly_accepted_and_written_without_loss() -> None:
    accepted = 0
    for seed in range(80):
        try:
            decision = read_decision(draw(random.Random(seed), 0.3))
        except DPWizardError:
            continue
        accepted += 1
        assert read_decision(json.loads(json_text.document(to_json(decision)))) == decision
    assert accepted > 25


# ------------------------------------------------------------------------------------- fuzzing


def fuzzed(runs: int, seed: int, *options: str) -> dict[str, object]:
    command = [sys.executable, "-m", "tests.soak.fuzz_readers", "--runs", str(runs), "--seed", str(seed), *options]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, cwd=fuzz_readers.ROOT)
    assert ended.returncode == 0, (ended.stdout + ended.stderr)[-3_000:]
    found: dict[str, object] = json.loads(ended.stdout.splitlines()[-1])
    return found


def check_fuzzed(runs: int, seed: int, *options: str) -> None:
    found = fuzzed(runs, seed, *options)
    assert found["inputs"] == runs
    assert found["well_formed"] == runs // 2


@pytest.mark.slow
def test_a_sample_of_fuzzing_lets_nothing_out_but_errors_in_words() -> None:
    check_fuzzed(400, 20_261_122, "--blind")  # they are too few to be led by what they reach


@pytest.mark.soak
def test_nine_in_ten_of_the_readers_branches_are_taken() -> None:
    found = fuzzed(4_000, 1, "--coverage")
    assert isinstance(found["share"], float)
    assert found["share"] >= 0.9, found["missing"]


@pytest.mark.soak
def test_a_longer_run_of_fuzzing_lets_nothing_out_but_errors_in_words() -> None:
    check_fuzzed(100_000, 20_261_123)
