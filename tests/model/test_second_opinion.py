"""The second opinion finds what was found by hand in published claims, each with its arithmetic."""

from __future__ import annotations

import json
import math
import random
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import yaml

from dpwizard.base import json_text
from dpwizard.base.errors import DPWizardError
from dpwizard.base.language import speaking
from dpwizard.examination import Claim, ClaimVerdict, Examination, examine, examine_claim, read_claim, words
from dpwizard.records import write
from tests.samples.claims import PUBLISHED, names, published
from tests.samples.decisions import EXAMPLES, example, recorded

PRINTED = json.loads((PUBLISHED.parent / "census_certificates.json").read_text())


def opinion(name: str) -> Examination:
    return examine((PUBLISHED / f"{name}.yaml").read_bytes())


def differing(name: str) -> dict[tuple[str, str, str], ClaimVerdict]:
    """Return what differs in a published claim, by statement, name and quantity."""
    return {(one.statement, one.name, one.quantity): one for one in opinion(name).findings if one.verdict == "differs"}


def only(found: list[ClaimVerdict]) -> ClaimVerdict:
    assert len(found) == 1
    return found[0]


def by_rule(finding: ClaimVerdict) -> dict[str, float]:
    return {one.rule: one.value for one in finding.derived}


def of(raw: dict[str, Any], statement: str, quantity: str = "") -> ClaimVerdict:
    found = examine_claim(read_claim(raw))
    return only([one for one in found if one.statement == statement and quantity in ("", one.quantity)])


# ------------------------------------------------------------------------------------------- the contradictions


def test_household_tables_use_another_rule_than_the_redistricting_data_and_count_them_twice() -> None:
    found = differing("household_tables")
    assert {key[0] for key in found} == {"sum", "same_rule", "counted_twice"}
    total = found["sum", "household tables", "rho"]
    assert (total.stated, total.derived[0].value) == ("15.29", 12.66)
    assert [hint.key for hint in total.hints] == ["includes_apart"]
    rules = found["same_rule", "Demographic and Housing Characteristics of 2020", ""].figures
    assert set(rules.values()) == {"cks", "loose"}
    twice = found["counted_twice", "Demographic and Housing Characteristics of 2020", "rho"]
    assert twice.difference == pytest.approx(2.63)


@pytest.mark.parametrize(("rho", "loose", "cks"), [("4.96", 26.334, 25.41), ("7.70", 34.331, 33.29)])
def test_each_rule_says_what_it_makes_of_a_rho(rho: str, loose: float, cks: float) -> None:
    stated = {"4.96": "26.34", "7.70": "34.33"}[rho]
    found = of({"rho": rho, "epsilon": stated, "delta": "1e-10"}, "conversion")
    assert by_rule(found)["loose"] == pytest.approx(loose, abs=5e-4)
    assert by_rule(found)["cks"] == pytest.approx(cks, abs=5e-3)
    assert [one.rule for one in found.derived if one.agrees] == ["loose"]
    named = of({"rho": rho, "epsilon": stated, "delta": "1e-10", "rule": "cks"}, "conversion")
    assert named.verdict == "differs"
    assert [hint.values["rule"] for hint in named.hints] == ["loose"]


def test_the_epsilons_of_the_certificates_agree_with_the_exact_fractions_by_one_rule() -> None:
    for certificate in PRINTED.values():
        claim = {"rho": certificate["rho"], "epsilon": str(certificate["printed"]["total"]), "delta": "1e-10"}
        found = of(claim, "conversion")
        assert found.verdict == "agrees"
        assert [one.rule for one in found.derived if one.agrees] == ["cks"]


def test_the_detailed_tables_are_four_times_and_twice_what_their_lines_come_to() -> None:
    found = differing("detailed_tables")
    one, other = found["sum", "A, of persons", "rho"], found["sum", "B, of households", "rho"]
    assert one.derived[0].value == 4.944
    assert one.hints[0].values["times"] == 4.0
    assert other.derived[0].value == 8.895302
    assert other.hints[0].values["times"] == 2.0
    assert "same_factor" in {key[0] for key in found}
    margins = [one for one in opinion("detailed_tables").findings if one.statement == "margin"]
    assert [one.verdict for one in margins] == ["agrees"] * 3
    assert [round(one.derived[0].value, 6) for one in margins] == [1.9208, 0.142869, 0.006915]


@pytest.mark.parametrize("name", ["redistricting", "broadband", "births", "hiring", "energy_registry"])
def test_a_claim_that_adds_up_is_not_called_wrong(name: str) -> None:
    assert opinion(name).ok


@pytest.mark.parametrize(
    ("epsilon", "belief"), [("0.2", 1.2), ("1", 2.7), ("1.68", 5.1), ("2.64", 12.4), ("4", 35.5), ("9.98", 99.5)]
)
def test_what_a_largest_loss_means_from_a_belief_of_1_in_100(epsilon: str, belief: float) -> None:
    found = of({"epsilon": epsilon}, "means").meaning
    assert found.of == "belief"
    assert 100.0 * (found.derived or 0.0) == pytest.approx(belief, abs=0.06)


# ------------------------------------------------------------------------------------------------- properties


def test_no_verdict_comes_without_its_arithmetic() -> None:
    for name in names():
        for one in opinion(name).findings:
            assert one.figures
            said = words.row(one)
            assert said.arithmetic
            if one.verdict == "differs" and one.statement not in ("same_rule", "same_factor", "variant"):
                assert one.difference is not None
                assert said.why
            if one.verdict == "not_determined":
                assert one.missing


def test_sums_are_exact_where_binary_numbers_are_not() -> None:
    tenths = {"epsilon": "0.3", "parts": [{"epsilon": "0.1", "times": 3}]}
    assert of(tenths, "sum").derived[0].value == 0.3
    thirds = {"rho": "1", "parts": [{"rho": "1/3", "times": "3"}]}
    assert of(thirds, "sum").verdict == "agrees"


def test_a_result_agrees_as_far_as_its_own_digits_go_and_no_farther() -> None:
    exact = Fraction("293764/114921")
    for stated, verdict in (("2.56", "agrees"), ("2.5562", "agrees"), ("2.55", "differs"), ("2.557", "differs")):
        assert of({"rho": stated, "parts": [{"rho": str(exact)}]}, "sum").verdict == verdict


def test_what_a_part_does_not_say_leaves_its_total_undetermined() -> None:
    found = of({"epsilon": "1", "parts": [{"name": "a", "epsilon": "0.5"}, {"name": "b"}]}, "sum")
    assert (found.verdict, found.missing) == ("not_determined", ("b",))


def test_an_epsilon_that_nobody_calls_pure_is_not_made_a_rho() -> None:
    parts = [{"name": "persons", "epsilon": "17.14"}, {"name": "units", "rho": "0.07"}]
    assert of({"rho": "2.63", "parts": parts}, "sum").verdict == "not_determined"
    pure = [{"epsilon": "0.5", "variant": "pure"}, {"rho": "0.075"}]
    assert of({"rho": "0.2", "parts": pure}, "sum").verdict == "agrees"


def test_a_delta_of_which_no_part_says_anything_is_not_determined() -> None:
    claim = {"epsilon": "4.8", "delta": "4e-10", "parts": [{"name": "report", "epsilon": "1.2", "times": 4}]}
    assert of(claim, "sum", "delta").verdict == "not_determined"
    assert of(claim, "sum", "epsilon").verdict == "agrees"


def test_what_a_person_loses_in_epsilon_needs_a_delta_where_slices_state_rho() -> None:
    claim = {"rho": "0.015", "slice": "day", "slices": 30, "person": {"rho": "0.45", "epsilon": "5"}}
    assert of(claim, "person", "rho").verdict == "agrees"
    assert of(claim, "person", "epsilon").missing == ("delta",)


def test_a_claim_of_nothing_finds_nothing() -> None:
    assert examine_claim(Claim()) == ()
    assert examine(b"name: nothing\n").findings == ()


def test_the_best_composition_of_largest_losses_lies_between_no_noise_and_the_sum() -> None:
    claim = {"slice": "day", "slices": 365, "epsilon": "0.1", "person": {"epsilon": "9.9", "delta": "1e-6"}}
    found = of(claim, "person", "epsilon")
    rules = by_rule(found)
    assert rules.keys() == {"basic", "cks", "loose", "optimal"}
    assert rules["optimal"] < rules["cks"] < rules["loose"] < rules["basic"]


def test_groups_grow_by_their_size_in_epsilon_and_by_its_square_in_rho() -> None:
    for quantity, grown in (("epsilon", "1.5"), ("rho", "4.5"), ("mu", "1.5")):
        claim = {quantity: "0.5", "group": {"size": 3, quantity: grown}}
        assert of(claim, "group").verdict == "agrees"
    halves = {"epsilon": "0.5", "delta": "1e-8", "group": {"size": 3, "delta": "5.367e-8"}}
    assert of(halves, "group").derived[0].value == pytest.approx(1e-8 * (1 + math.exp(0.5) + math.exp(1.0)), rel=1e-9)


# ------------------------------------------------------------------------------------------ ours, and the words


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.json"))[::4], ids=lambda path: path.stem)
def test_every_example_agrees_with_itself(path: Path) -> None:
    found = examine(path.read_bytes())
    assert found.kind == "decision"
    assert [one for one in found.findings if one.verdict == "differs"] == []


@pytest.mark.slow
def test_a_record_agrees_with_itself_and_one_that_was_changed_does_not() -> None:
    data = write(recorded(example("page_views")))
    assert examine(data).ok
    assert examine(data).counted("agrees") > 4
    made = json.loads(data)
    made["assessment"]["accounting"]["conversions"][-1]["epsilon"] *= 0.9
    differing = [one for one in examine(json_text.document(made)).findings if one.verdict == "differs"]
    assert [(one.statement, one.where) for one in differing] == [
        ("replay", "$.assessment.accounting.conversions[1].epsilon")
    ]


@pytest.mark.soak
def test_a_damaged_record_ends_in_findings_or_in_words() -> None:
    dice = random.Random(1)
    data = write(recorded(example("durham")))
    for _ in range(60):
        raw = json.loads(data)
        place, names = raw, []
        while isinstance(place, dict | list) and place and (not names or dice.random() < 0.7):
            names.append(dice.choice(sorted(place)) if isinstance(place, dict) else dice.randrange(len(place)))
            owner, place = place, place[names[-1]]
        owner[names[-1]] = dice.choice([None, -1, True, "=x", [], {}, [None], 1e308])
        with suppress(DPWizardError):  # nothing else leaves it
            examine(json_text.document(raw))


@pytest.mark.slow
def test_the_same_claim_is_read_from_yaml_and_from_json() -> None:
    for name in names():
        raw = published(name)
        assert examine(json.dumps(raw).encode()) == opinion(name) == examine(yaml.safe_dump(raw).encode())


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_finding_is_said_in_words(language: str) -> None:
    with speaking(language):
        for name in names():
            lines = list(words.lines(opinion(name)))
            assert len(lines) > 3
            assert not any("{" in line or "None" in line for line in lines)


def test_delta_of_devices_in_the_same_figures_grows_with_epsilon() -> None:
    claim = {"epsilon": "1", "delta": "1e-6", "slices": 3, "person": {"epsilon": "3", "delta": "3e-6"}}
    devices, days = of(claim, "person", "delta"), of({**claim, "slice": "day"}, "person", "delta")
    assert (devices.verdict, days.verdict) == ("differs", "agrees")
    assert devices.derived[0].value == pytest.approx(1e-6 * (math.exp(3) - 1) / (math.e - 1))
    unsaid = of({"delta": "1e-6", "slices": 3, "person": {"delta": "3e-6"}}, "person", "delta")
    assert (unsaid.verdict, unsaid.missing) == ("not_determined", ("epsilon",))


@pytest.mark.parametrize(("slice_", "grown"), [("day", "1.0"), ("none", "2.0"), ("event", "2.0")])
def test_mu_of_a_person_is_checked(slice_: str, grown: str) -> None:
    claim = {"mu": "0.5", "slice": slice_, "slices": 4, "person": {"mu": grown}}
    assert of(claim, "person", "mu").verdict == "agrees"
    assert of({**claim, "person": {"mu": "0.5"}}, "person", "mu").verdict == "differs"


@pytest.mark.parametrize("quantity", ["rho", "mu"])
def test_rho_or_mu_after_sampling_is_said_not_to_be_determined(quantity: str) -> None:
    claim = {quantity: "0.05", "sampling": "0.1", "parts": [{quantity: "0.5"}]}
    found = of(claim, "sampling", quantity)
    assert (found.verdict, found.missing) == ("not_determined", ("epsilon", "delta"))


def test_page_views_are_near_epsilon_1_by_the_familiar_bound_alone_and_note_too_little_noise() -> None:
    found = opinion("page_views").findings
    conversion = only([one for one in found if one.statement == "conversion"])
    assert conversion.verdict == "agrees"
    assert [one.rule for one in conversion.derived if one.agrees] == ["loose"]
    assert by_rule(conversion) == pytest.approx({"loose": 0.998, "cks": 0.855, "exact": 0.800}, abs=5e-4)
    noise = differing("page_views")["noise", "Page views of Wikipedia by country and day", "sd"]
    assert (noise.stated, noise.derived[0].value) == ("10", pytest.approx(18.26, abs=5e-3))
    person = only([one for one in found if one.statement == "person"])
    assert (person.verdict, person.quantity, person.missing) == ("not_determined", "rho", ("slices",))
