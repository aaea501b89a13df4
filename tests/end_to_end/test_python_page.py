"""The page that shows the program from Python: what stands on it is run, from top to bottom."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest

import dpwizard
from dpwizard.base.errors import InvalidInput

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "python.md").read_text("utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
FUNCTIONS = [name for name in dpwizard.__all__ if name != "__version__"]


@pytest.mark.slow
def test_every_block_of_the_page_runs_in_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert len(BLOCKS) >= 8
    names: dict[str, object] = {}
    for block in BLOCKS:
        exec(compile(block, "docs/python.md", "exec"), names)
    assert sorted(path.name for path in tmp_path.glob("cases*")) == [
        "cases-draft.pdf",
        "cases-record.1.jws",
        "cases-record.json",
        "cases-record.pdf",
        "cases.json",
    ]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_page_shows_every_function(name: str) -> None:
    assert re.search(rf"\b{name}\(", "".join(BLOCKS)) or name == "open_identity"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_says_what_it_raises(name: str) -> None:
    assert "Raises" in (inspect.getdoc(getattr(dpwizard, name)) or "") or name == "replay"


def test_the_front_door_costs_nothing_to_open() -> None:
    code = "import sys, dpwizard; print(*{'numpy', 'scipy', 'pydantic', 'cryptography'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == ""


def test_a_time_without_its_offset_is_refused_in_words(tmp_path: Path) -> None:
    decision = dpwizard.read_decision(ROOT / "resources" / "examples" / "durham.json")
    with pytest.raises(InvalidInput, match="offset from UTC"):
        dpwizard.typeset(decision, tmp_path / "draft.pdf", at=datetime(2026, 11, 2))


def test_a_misspelt_function_is_told_its_neighbours() -> None:
    with pytest.raises(InvalidInput) as caught:
        dpwizard.compute("accuracy.noise_intervall")
    assert "accuracy.noise_interval" in str(caught.value.hint)


def test_no_function_has_the_name_of_a_package() -> None:
    # importing a package of that name would put it in the function's place
    packages = {path.stem for path in (ROOT / "dpwizard").iterdir()}
    assert not packages & set(FUNCTIONS)
