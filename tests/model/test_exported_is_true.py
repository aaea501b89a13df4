"""What is exported (noise, code, registry, a public edition) is true of the people and the noise themselves."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from dpwizard.records import make, release_code
from dpwizard.signing import exports
from tests.oracles import noise_oracle
from tests.samples.decisions import STATED, example, recorded
from tests.samples.published_worlds import GAUSSIAN, WORLDS, Published, sensitivity

EVERY = pytest.mark.parametrize("world", [*WORLDS.values(), *GAUSSIAN.values()], ids=[*WORLDS, *GAUSSIAN])
EPSILONS = pytest.mark.parametrize("epsilon", [0.3, 1.7])
CATEGORY = {"kind": "categorical_advantage", "prior": {"ill": 0.3, "well": 0.7}, "truth": "ill", "advantage": 0.1}


@EVERY
@EPSILONS
def test_the_noise_told_to_be_added_keeps_the_epsilon_of_the_release_and_code_certifies_no_more(
    world: Published, epsilon: float
) -> None:
    rows = world.rows(epsilon)
    order = {name: 2 if row["mechanism"] == "gaussian" else 1 for name, row in rows.items()}
    for name, row in rows.items():
        assert row["sensitivity"] == sensitivity(name, world.relation, order[name])
        far = row["sensitivity"] / row["scale"]
        if order[name] == 1:
            assert far <= row["epsilon"]
        else:
            assert float(noise_oracle.gaussian_hockey_stick(far, row["epsilon"])) <= row["delta"]
    once = replace(world, repetitions=1)
    if order == dict.fromkeys(rows, 2):
        assert world.delta is not None
        assert float(noise_oracle.gaussian_hockey_stick(once.mu(epsilon, world.relation), epsilon)) <= world.delta
    elif 2 not in order.values():
        assert once.loss(epsilon, world.relation, before=False) <= epsilon * (1 + 1e-15)
    decision = world.decided(epsilon=epsilon)
    code = release_code(make(decision, STATED, name="r"))
    compile(code, "release.py", "exec")
    for row in rows.values():
        size = row["sensitivity"] if row["mechanism"] != "geometric" else int(row["sensitivity"])
        assert f".map({size!r})" in code
        # Gaussian tables divide rho, which OpenDP adds up itself
        certified = row["epsilon"] if row["rho"] is None else row["rho"]
        assert f"> {certified!r}" in code
        assert f"scale = {row['scale']!r}" in code or f"= {row['scale']!r}\n" in code


def test_a_registry_entry_names_what_is_published_without_noise_and_all_that_is_lost() -> None:
    total = {"name": "everybody", "statistic": "count", "mechanism": "exact", "reads": []}
    world = Published(shares={"ill": 1.0}, relation="replace", repetitions=3)
    figures = [{"name": "by region", "reads": ["region"]}]
    raw = example("durham", epsilon=0.1)
    raw |= {
        "release": world.raw | {"parts": [*world.raw["parts"], total], "exact_figures": figures},
        "requirements": [],
    }
    raw["release"] |= {"published_elsewhere": "An almanac.", "description": "Who is ill."}
    raw["release"] = {name: value for name, value in raw["release"].items() if value is not None}
    raw["details"] = {"intended_use": "Planning", "region": "Here", "product_type": "Dataset", "curators": ["Office"]}
    raw["details"] |= {"publication_date": "2026-11-21", "authors": ["A. Person"]}
    entry = exports.registry_entry(recorded(raw), "0" * 64)["deployment"]
    assert entry["dp_variant"]["unprotected_quantities"] == "An almanac.; everybody; by region"
    assert entry["privacy_loss"]["privacy_parameters"] == {"epsilon": pytest.approx(0.3)}


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_web_page_states_what_all_repetitions_lose_and_delta_with_it(language: str) -> None:
    worlds = (WORLDS["four repetitions, whole numbers"], GAUSSIAN["Gaussian tables, twice"])
    for world, epsilon, delta in zip(worlds, ("2.00", "1.00"), (None, "0.00002"), strict=True):
        raw = example("durham", epsilon=0.5, language=language, requirements=[])
        raw["release"] = {name: value for name, value in world.raw.items() if value is not None}
        page = exports.web_summary(recorded(raw), "0" * 64)
        first, second = re.findall(r"<p>(.*?)</p>", page)[:2]
        assert f"psilon {epsilon} in" in first.replace(",", ".")
        assert f"psilon 0{'.' if language == 'en' else ','}5" in first
        assert ("elta" in second) == (delta is not None)
        assert delta is None or second.endswith(delta if language == "en" else delta.replace(".", ","))
