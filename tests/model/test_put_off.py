"""A module that was put off runs at the first question, once, and is then what it would have been."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from dpwizard.put_off import PutOff, Wrapped, run_all, spare

NAME = "spared_for_a_test"
ROOT = Path(__file__).parents[2]


@pytest.fixture
def spared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], ModuleType]]:
    """Return a maker of a module from its text, imported and put off."""
    monkeypatch.syspath_prepend(tmp_path)

    def make(text: str) -> ModuleType:
        (tmp_path / f"{NAME}.py").write_text(text, "utf-8")
        importlib.invalidate_caches()
        with spare(frozenset({NAME})):
            return importlib.import_module(NAME)

    yield make
    sys.modules.pop(NAME, None)


def test_it_runs_at_the_first_question_and_is_an_ordinary_module_then(spared: Callable[[str], ModuleType], tmp_path: Path) -> None:
    module = spared("answer = 42\n")
    assert type(module) is PutOff
    assert "answer" not in vars(module)
    assert module.__file__ == str(tmp_path / f"{NAME}.py")  # where it lies is known without running it
    assert module.answer == 42
    assert type(module) is ModuleType
    assert module.__spec__ is not None
    assert module.__loader__ is module.__spec__.loader
    assert not isinstance(module.__loader__, Wrapped)
    assert not hasattr(module, "question")
    assert importlib.import_module(NAME) is module


def test_all_that_were_put_off_can_be_run_without_a_question(spared: Callable[[str], ModuleType]) -> None:
    module = spared("answer = 42\n")
    run_all({NAME, "sys", "never_imported"})
    assert type(module) is ModuleType
    assert vars(module)["answer"] == 42


def test_a_module_that_asks_itself_for_what_it_lacks_is_told_so(spared: Callable[[str], ModuleType]) -> None:
    module = spared("import sys\nbefore = hasattr(sys.modules[__name__], 'after')\nafter = 1\n")
    assert (module.before, module.after) == (False, 1)


def test_one_that_fails_says_why_each_time_and_runs_once_it_can(spared: Callable[[str], ModuleType], tmp_path: Path) -> None:
    module = spared(f"from pathlib import Path\nanswer = Path({str(tmp_path / 'told')!r}).read_text()\n")
    for _ in range(2):
        with pytest.raises(FileNotFoundError):
            run_all({NAME})
    (tmp_path / "told").write_text("42")
    assert module.answer == "42"


def test_threads_that_ask_at_the_same_time_get_one_answer(spared: Callable[[str], ModuleType]) -> None:
    module = spared("import threading, time\ntime.sleep(0.05)\nanswer = threading.get_ident()\n")
    answers: list[int] = []
    threads = [threading.Thread(target=lambda: answers.append(module.answer)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 8
    assert len(set(answers)) == 1


def test_what_is_imported_outside_the_block_or_is_there_already_is_not_put_off(spared: Callable[[str], ModuleType]) -> None:
    with spare(frozenset({"json", NAME})):
        assert type(importlib.import_module("json")) is ModuleType
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module(NAME)


def test_special_functions_come_without_what_numpy_has_for_tests_and_fortran() -> None:
    code = (
        "import sys, dpwizard.special as s; from dpwizard.put_off import NUMPY, PutOff\n"
        "waiting = {name for name in NUMPY if isinstance(sys.modules.get(name), PutOff)}\n"
        "print({'numpy.testing', 'numpy.f2py', 'numpy.ma'} <= waiting, 'unittest' in sys.modules, float(s.ndtr(0.0)))\n"
        "import numpy; numpy.testing.assert_allclose(numpy.ma.masked_less([1, 5], 3).sum(), 5)"  # what was put off is there when it is used
    )
    told = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["True", "False", "0.5"]


def test_nothing_imports_scipy_beside_the_place_that_spares_numpy() -> None:
    importing = re.compile(r"^(\s*)(from|import) scipy", re.MULTILINE)
    found = {
        path.relative_to(ROOT).as_posix(): [match.group(1) for match in importing.finditer(path.read_text("utf-8"))]
        for folder in ("dpwizard", "ui")
        for path in (ROOT / folder).rglob("*.py")
    }
    named = {name: spaces for name, spaces in found.items() if spaces}
    inside = {"dpwizard/special.py": ["    "], "dpwizard/solvers/fourier.py": ["    "]}  # of `with spare(NUMPY)`
    assert named == inside
