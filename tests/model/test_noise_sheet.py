"""The noise sheet: what it says of the noise is what the noise does, and its lines of Python and R run."""

from __future__ import annotations

import json
import math
import re
import shutil
import subprocess
from collections.abc import Iterable
from html import unescape
from typing import Any

import numpy as np
import pytest

from dpwizard.base.errors import InvalidInput
from dpwizard.decision import AddedNoise, added_noises
from dpwizard.privacy.mechanisms import mechanisms_named
from dpwizard.records import Record, drawn
from dpwizard.report.noise_sheet import code, noise_sheet
from tests.samples.decisions import EXAMPLES, example, recorded
from tests.samples.mechanisms import SAMPLES

NOISES = [name for name in SAMPLES if mechanisms_named((name,)).each[0].noise is not None]
DRAWS = 200_000


def noises_of(record: Record) -> tuple[AddedNoise, ...]:
    decision = record.decision.planned
    return added_noises(decision.release, decision.chosen)


def made(name: str, **changes: Any) -> Record:
    return recorded(example(name, **changes))


def noise(name: str, scale: float, step: float = 1.0) -> AddedNoise:
    added = mechanisms_named((name,)).each[0].noise
    assert added is not None
    return AddedNoise(noise=added, scale=scale, step=step, sensitivity=1.0, budget=1.0 / scale)


def lines(noises: Iterable[AddedNoise]) -> tuple[str, str]:
    """Return the code for NOISES, in Python and in R."""
    figures = dict.fromkeys(("sd", "within_90", "within_95", "exact"), 0.0)
    stated = [{"mechanism": one.noise.name, "scale": one.scale, "step": one.step} for one in noises]
    return code(tuple(drawn.AddedNoise(tables=(), **one, **figures) for one in stated))


def check(draws: np.ndarray[Any, Any], one: AddedNoise) -> None:
    """Hold DRAWS against the noise they should be of: centre, deviation, and how many lie within the interval."""
    spread = one.sd / math.sqrt(len(draws))
    assert abs(float(draws.mean())) < 5 * spread
    assert float(draws.std()) == pytest.approx(one.sd, rel=0.02)
    within = one.half_width(0.95)
    held = float(np.mean(np.abs(draws) <= within * (1 + 1e-12)))
    assert held >= 0.95 - 5 * math.sqrt(0.05 * 0.95 / len(draws))
    if one.noise.exact_mass(one.scale):
        assert np.all(draws == one.step * np.round(draws / one.step))
        assert float(np.mean(draws == 0.0)) == pytest.approx(one.noise.exact_mass(one.scale), abs=0.01)


CASES = [(name, scale, step) for name in NOISES for scale in (0.4, 1.7, 40.0) for step in (1.0, 1000.0)]


@pytest.mark.parametrize(("name", "scale", "step"), CASES)
def test_the_lines_of_python_draw_the_noise(name: str, scale: float, step: float) -> None:
    one = noise(name, scale, step)
    names: dict[str, Any] = {}
    exec(lines((one,))[0], names)
    names["rng"] = np.random.default_rng(20261123)
    check(np.asarray(names["noise_1"](DRAWS), dtype=float), one)


def in_r(text: str) -> str:
    """Return what R prints when it runs TEXT."""
    program = shutil.which("Rscript")
    assert program, "Rscript is missing: scripts/setup.sh test installs it"
    done = subprocess.run(
        [program, "--vanilla", "-"], input=text, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_lines_of_r_draw_the_noise() -> None:
    noises = tuple(noise(*case) for case in CASES)
    drawn = "".join(
        f"d <- noise_{i}({DRAWS})\n"
        f'cat(mean(d), sd(d), mean(abs(d) <= {one.half_width(0.95) * (1 + 1e-12)!r}), mean(d == 0), "\\n")\n'
        for i, one in enumerate(noises, start=1)
    )
    printed = in_r(f"set.seed(20261123)\n{lines(noises)[1]}\n{drawn}").splitlines()[-len(noises) :]
    for one, line in zip(noises, printed, strict=True):
        mean, sd, held, exact = map(float, line.split())
        assert abs(mean) < 5 * one.sd / math.sqrt(DRAWS)
        assert sd == pytest.approx(one.sd, rel=0.02)
        assert held >= 0.947
        assert exact == pytest.approx(one.noise.exact_mass(one.scale), abs=0.01)


def blocks_of_code(page: str) -> list[str]:
    return [unescape(found) for found in re.findall(r"<pre>(.*?)</pre>", page, re.DOTALL)]


@pytest.mark.soak
@pytest.mark.parametrize("name", sorted(path.stem for path in EXAMPLES.glob("*.json")))
def test_every_example_with_a_budget_has_its_sheet_and_every_table_stands_on_it(name: str) -> None:
    record = made(name)
    if not any(row.scale for row in record.implementation):
        with pytest.raises(InvalidInput, match="no noise to describe"):
            noise_sheet(record)
        return
    noises = noises_of(record)
    tables = [table for one in noises for table in one.tables]
    assert len(tables) == sum(bool(row.scale) for row in record.implementation)
    assert f"noise_{len(noises)}" in noise_sheet(record)


@pytest.mark.slow
def test_tables_of_one_noise_are_said_once() -> None:
    record = made("household_tables")
    noises = noises_of(record)
    assert len(noises) < sum(len(one.tables) for one in noises) == len(record.implementation)
    assert noise_sheet(record).count("def noise_") == len(noises)


def test_the_name_of_a_table_never_becomes_code() -> None:
    raw = example("mobility_reports")
    before = raw["release"]["parts"][0]["name"]
    hostile = '"); import os; os.remove("x")  # <script>'
    page = noise_sheet(recorded(json.loads(json.dumps(raw).replace(json.dumps(before), json.dumps(hostile)))))
    assert "&lt;script&gt;" in page
    assert "<script>" not in page
    assert not any("import os" in text for text in blocks_of_code(page))


def test_what_was_done_to_the_figures_after_the_noise_is_said() -> None:
    raw = example("durham")
    raw["release"]["post_processing"] = ["rounding", "clamping", "consistency", "other"]
    page = noise_sheet(recorded(raw))
    for words in ("half a unit", "clamped", "no longer independent", "not stated here"):
        assert words in page
