"""What is exported (noise, code, registry, a public edition) is true of the people and the noise themselves."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from dpwizard.decision import written
from dpwizard.records import comparison, editions, library_code, record
from dpwizard.signing import exports
from tests.oracles import noise_oracle
from tests.samples.decisions import example, recorded
from tests.samples.published_worlds import GAUSSIAN, UNEQUAL, WORLDS, Published, sensitivity

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
    code = library_code.release_code({"decision": written(decision), "implementation": [*rows.values()]})
    compile(code, "release.py", "exec")
    for row in rows.values():
        size = row["sensitivity"] if row["mechanism"] != "geometric" else int(row["sensitivity"])
        assert f".map({size!r})" in code
        certified = row.get("rho", row["epsilon"])  # Gaussian tables divide rho, which OpenDP adds up itself
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
    entry = exports.registry_entry(recorded(raw)[0], "0" * 64)["deployment"]
    assert entry["dp_variant"]["unprotected_quantities"] == "An almanac.; everybody; by region"
    assert entry["privacy_loss"]["privacy_parameters"] == {"epsilon": pytest.approx(0.3)}


def test_a_public_edition_that_leaves_out_what_is_spent_tells_none_of_its_figures() -> None:
    spent = {"record": "Bats", "epsilon": 0.7312345, "delta": 0.00012345, "neighbours": "replace"}
    spent |= {"sensitivity": 7.654321, "sensitivity_other": 4.123456, "mechanism": "gaussian"}
    world = Published(shares=UNEQUAL, more={"priors_from": "before_all", "spent": [spent]})
    raw = example("durham", epsilon=0.5, withheld=["$.release.spent"])
    raw |= {"release": {name: value for name, value in world.raw.items() if value is not None}}
    raw["requirements"] = [{"kind": "budget", "total": 9, "delta": 0.01}, CATEGORY]
    internal, data = recorded(raw)
    assert internal["accounting"]["delta_spent_before"] == 0.00012345
    made = editions.public_record(internal, "0" * 64)
    outward = record.record_bytes(made)
    told = (outward.decode(), exports.web_summary(made, "0" * 64), exports.report_html(made, outward))
    for text in told:
        words = re.sub(r"<svg.*?</svg>", "", text, flags=re.DOTALL)  # a drawing is made of numbers
        for secret in ("7312345", "12345", "654321", "123456", "Bats", "0.731", "0.732", "1.231", "1.232"):
            assert secret not in words, secret
    assert comparison.replay(made) == ()
    assert b"delta_spent_before" in data


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_web_page_states_what_all_repetitions_lose_and_delta_with_it(language: str) -> None:
    worlds = (WORLDS["four repetitions, whole numbers"], GAUSSIAN["Gaussian tables, twice"])
    for world, epsilon, delta in zip(worlds, ("2", "1"), (None, "0.00002"), strict=True):
        raw = example("durham", epsilon=0.5, language=language, requirements=[])
        raw["release"] = {name: value for name, value in world.raw.items() if value is not None}
        page = exports.web_summary(recorded(raw)[0], "0" * 64)
        first, second = re.findall(r"<p>(.*?)</p>", page)[:2]
        assert f"psilon {epsilon} in" in first
        assert f"psilon 0{'.' if language == 'en' else ','}5" in first
        assert ("elta" in second) == (delta is not None)
        assert delta is None or second.endswith(delta if language == "en" else delta.replace(".", ","))
