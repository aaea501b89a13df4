"""What every kind of requirement owes; a kind that lacks one fails here with a sentence that names the step.

Its page of the guide is asked for by tests/test_guide.py, its schema by tests/test_reference.py.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

import pytest

from dpwizard.base.language import LANGUAGES
from dpwizard.charts import usability
from dpwizard.decision import FORMAT, Decision, assess, read_decision
from dpwizard.decision import requirements as package
from dpwizard.decision.requirement import SETTLED, BaseRequirement
from dpwizard.decision.requirements import kinds
from dpwizard.wording import known_word, word
from tests.oracles.judge.asking import KINDS as DRAWN
from tests.oracles.judge.verdicts import JUDGES
from tests.samples import mechanisms, requirements
from tests.samples.decisions import said_of

every_kind = pytest.mark.parametrize("kind", kinds())


def decisions(kind: str) -> Iterator[Decision]:
    """Yield a decision for each sample of KIND and each mechanism."""
    stated = requirements.SAMPLES.get(kind)
    assert stated, f'add a sample of "{kind}" to tests/samples/requirements.py'
    for one in stated:
        for name, sample in mechanisms.SAMPLES.items():
            asked = {"release": sample.release(name), "requirements": [{"kind": kind, **one}]}
            yield read_decision({"format": FORMAT, **asked, "epsilon": sample.epsilon})


def below(kind: type[BaseRequirement]) -> Iterator[type[BaseRequirement]]:
    yield kind
    for one in kind.__subclasses__():
        yield from below(one)


def test_every_class_of_the_package_is_in_the_union() -> None:
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)
    left_out = [one.__name__ for one in below(BaseRequirement) if "kind" in one.model_fields]
    left_out = [name for name in left_out if name not in {one.__name__ for one in kinds().values()}]
    assert left_out == [], f"name {left_out} in the union Kinds of dpwizard/decision/requirements/__init__.py"


@every_kind
def test_every_kind_has_samples_that_are_answered(kind: str) -> None:
    found = [decision.requirements[0].missing() for decision in decisions(kind)]
    assert not any(found), f'the samples of "{kind}" in tests/samples/requirements.py lack {found}'
    answered = {assess(decision).answers[0].status for decision in decisions(kind)}
    assert answered & set(SETTLED), (
        f'no sample of "{kind}" has a limit: mend it, or `setting`, `solve` or `limit` of the class'
    )


@every_kind
def test_every_kind_is_judged_by_its_definition(kind: str) -> None:
    assert kind in JUDGES, f'judge "{kind}" by its definition in tests/oracles/judge/promises.py or needs.py'
    assert kind in DRAWN, f'say in tests/oracles/judge/asking.py how "{kind}" is drawn at random'


@every_kind
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_says_what_it_asks_and_answers_in_every_language(kind: str, language: str) -> None:
    file = f"resources/locale/{language}/LC_MESSAGES/dpwizard.po, then make messages"
    for section in ("kind", "kind_help", *(("implied", "need", "need_asked") if kind in usability.NEEDS else ())):
        assert known_word(section, kind, language), f'add "{kind}" in the context "{section}" to {file}'
    for decision in decisions(kind):
        try:
            said_of(decision.model_copy(update={"language": language}))
        except LookupError as problem:
            pytest.fail(f"{problem}; add it to {file}")


@pytest.mark.parametrize("kind", usability.NEEDS)
def test_every_need_of_accuracy_is_measured_beside_the_others(kind: str) -> None:
    measured = [
        one
        for decision in decisions(kind)
        for one in usability.measures(decision, assess(decision))
        if one.kind == kind
    ]
    asked = {one.required for one in measured} - {word("implied", "not_asked")}
    assert asked, f'name in `bound` of its class the field that says what "{kind}" asks for'
