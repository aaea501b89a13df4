"""A release without noise has no epsilon anywhere: not in the outcome, the key figure, the registry entry, the web
page, the report."""

from __future__ import annotations

from typing import Any

import pytest

from dpwizard import records
from dpwizard.decision import assess, read_decision
from dpwizard.records import breaches
from dpwizard.records.policy import Policy
from dpwizard.report import document as report
from dpwizard.signing import exports
from dpwizard.wording import assessments
from tests.samples.decisions import example, recorded

MARK = 0.7312345
TABLES = [
    {"name": "A", "sensitivity": 1, "share": 0.5, "mechanism": "exact"},
    {"name": "B", "sensitivity": 1, "share": 0.5},
]


def decided(**release: Any) -> dict[str, Any]:
    raw = example("bon_exact_mean", epsilon=MARK)
    raw["release"] |= {"repetitions": 3, **release}
    raw["requirements"].append({"kind": "budget", "total": 4.0})
    raw["details"] = {
        "curators": ["Office"],
        "intended_use": "Planning",
        "product_type": "Summary statistics",
        "region": "Here",
        "publication_date": "2026-11-21",
    }
    raw["release"].setdefault("description", "A mean.")
    raw["title"] = raw.get("title") or "A mean"
    return raw


@pytest.mark.parametrize("release", [{}, {"parts": TABLES}], ids=["one table", "every part exact"])
def test_a_release_without_noise_has_no_epsilon_anywhere(release: dict[str, Any]) -> None:
    raw = decided(**release)
    decision = read_decision(raw)
    assessment = assess(decision)
    assert (assessment.epsilon, assessment.inside) == (None, None)
    made = recorded(raw)
    assert records.recompute(made) == ()
    outputs = {
        "record": records.write(made).decode("utf-8"),
        "report": report.text(report.blocks(made)),
        "html": exports.report_html(made),
        "web": exports.web_summary(made, "00"),
        "registry": exports.registry_yaml(exports.registry_entry(made, "00")),
        "csv": exports.answers_csv(made),
        "budget": assessments.accounting(decision),
    }
    for name, text in outputs.items():
        for digits in ("73123", "0.73", "2.19"):  # nor what three repetitions would come to
            assert digits not in text, (name, digits)
    entry = exports.registry_entry(made, "00")
    assert "privacy_parameters" not in entry["deployment"]["privacy_loss"]
    assert records.sentences(made).meaning == ()
    assert "Choose an epsilon" not in outputs["budget"]
    assert "Epsilon of one release no noise" in " ".join(outputs["report"].split())


def test_a_policy_says_that_a_release_without_noise_has_no_epsilon_not_how_large_it_is() -> None:
    found = breaches(
        Policy(format="dpwizard.policy/1", name="Office", largest_epsilon=0.5),
        read_decision(decided() | {"outcome": "approve"}),
        None,
    )
    assert [breach.where for breach in found] == ["$.release.mechanism"]
