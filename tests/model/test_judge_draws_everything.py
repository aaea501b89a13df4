"""The judge draws every mechanism and every shape of the registries: none can be wrong without being judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from dpwizard.privacy.mechanisms import MECHANISMS
from tests.oracles.judge.asking import a_case
from tests.samples.profiles import SHAPES

SEEDS = range(300)


def stated(kind: str | None = None) -> Iterator[dict[str, Any]]:
    return (a_case(seed, kind).decision for seed in SEEDS)


def test_the_judge_draws_every_mechanism() -> None:
    drawn = Counter(
        table.get("mechanism")
        for decision in stated()
        for table in decision["release"].get("parts") or [decision["release"]]
    )
    missing = [name for name in MECHANISMS if drawn[name] < 3]
    assert missing == [], "say in `law` of its sample (tests/samples/mechanisms.py) which law of the judge's it adds"


def test_the_judge_draws_every_shape() -> None:
    drawn = Counter(decision["requirements"][0]["profile"]["shape"] for decision in stated("relative_risk"))
    assert [shape for shape in SHAPES if not drawn[shape]] == []
