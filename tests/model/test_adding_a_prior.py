"""What every family of priors owes; a family that lacks one fails here with a sentence that names the step."""

from __future__ import annotations

import importlib
import math
import pkgutil
import random
from itertools import chain
from typing import get_args

import pytest

from dpwizard.base.errors import DPWizardError
from dpwizard.base.language import LANGUAGES, speaking, translated
from dpwizard.base.values import read
from dpwizard.privacy import guessing_advantage
from dpwizard.privacy import priors as package
from dpwizard.privacy.priors import Distribution, Histogram, Prior, as_bars
from tests.oracles import guessing_oracle as oracle
from tests.samples import priors

UNION = get_args(get_args(Prior)[0])
EPSILON, PRECISION = 0.8, 0.4
every_family = pytest.mark.parametrize("kind", UNION, ids=lambda kind: kind.__name__)


def key(kind: type[Distribution]) -> str:
    return str(kind.model_fields["family"].default)


def samples(kind: type[Distribution]) -> list[Distribution]:
    stated = priors.SAMPLES.get(key(kind))
    assert stated, f'add a sample of "{key(kind)}" to SAMPLES in tests/samples/priors.py'
    assert len(stated) > 1, f'add a sample of "{key(kind)}" that spreads over about 0 to 10 to tests/samples/priors.py'
    return [read(Prior, {"family": key(kind), **one}) for one in stated]


def test_every_class_of_the_package_is_in_the_union() -> None:
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)
    families = (leaf for one in Distribution.__subclasses__() for leaf in one.__subclasses__() or [one])
    left_out = [one.__name__ for one in families if one not in UNION]
    assert left_out == [], f"name {left_out} in the union Prior of dpwizard/privacy/priors/__init__.py"


@every_family
def test_every_family_has_samples_and_can_be_drawn_at_random(kind: type[Distribution]) -> None:
    assert samples(kind)[0].missing() == ()
    assert key(kind) in priors.DRAWN, f'say in DRAWN of tests/samples/priors.py how "{key(kind)}" is drawn at random'
    assert read(Prior, priors.at_random(random.Random(1), key(kind))[0]).missing() == ()


@every_family
def test_every_family_is_seen_from_a_guess_as_the_oracle_sees_it(kind: type[Distribution]) -> None:
    for one in samples(kind):
        truth = one.quantile(0.6)
        try:
            wanted = float(oracle.prior_probability(one.model_dump(), truth, PRECISION))
            learned = float(oracle.exact(one.model_dump(), truth, PRECISION, EPSILON))
        except (KeyError, ValueError):
            pytest.fail(
                f'write the density of "{key(kind)}" down in `_line` and `reach` of tests/oracles/guessing_oracle.py'
            )
        step = f'mend `seen_from` of the class of "{key(kind)}": log_mass or slopes'
        guess = {"prior": one, "truth": truth, "precision": PRECISION}
        assert guessing_advantage.prior_probability(**guess) == pytest.approx(wanted, rel=1e-9, abs=1e-12), step
        found = guessing_advantage.posterior(**guess, epsilon=EPSILON)
        assert learned * (1 - 1e-9) <= found <= learned * (1 + 1e-3), step


@pytest.mark.parametrize(
    "kind",  # a beta is integrated truth by truth, in many digits, for seconds
    [pytest.param(kind, marks=pytest.mark.slow if key(kind) == "beta" else (), id=kind.__name__) for kind in UNION],
)
def test_what_is_promised_against_the_worst_truth_is_kept_against_many(kind: type[Distribution]) -> None:
    for one in samples(kind):
        most = guessing_advantage.worst_truth(prior=one, precision=PRECISION, epsilon=EPSILON).advantage
        truths = one.listed() or [one.quantile(share) for share in (0.01, 0.3, 0.7, 0.99)]
        for truth in truths:
            gained = oracle.exact(one.model_dump(), truth, PRECISION, EPSILON) - oracle.prior_probability(
                one.model_dump(), truth, PRECISION
            )
            assert float(gained) <= most * (1 + 1e-6) + 1e-12


@every_family
def test_every_family_is_said_in_every_language(kind: type[Distribution]) -> None:
    assert getattr(kind, "title", ""), f'declare the English `title` in the class of "{key(kind)}"'
    fields = [text for field in kind.model_fields.values() for text in (field.title, field.description)]
    for language in LANGUAGES[1:]:
        for text in filter(None, chain(kind.texts(), fields)):
            with speaking(language):
                assert translated("label", text), f'say "{text}" in resources/locale/{language}/LC_MESSAGES/dpwizard.po'


@every_family
def test_every_family_is_drawn_and_turned_into_bars(kind: type[Distribution]) -> None:
    for one in samples(kind):
        low, median, high = (one.quantile(share) for share in (0.05, 0.5, 0.95))
        assert low <= median <= high
        drawn = one.picture()
        assert drawn is not None, f'mend `seen_from` of the class of "{key(kind)}": heights or quantiles'
        assert drawn.places[0] <= median <= drawn.places[-1]
        assert all(math.isfinite(height) for height in drawn.heights)
        try:
            bars = as_bars(one)
        except DPWizardError:
            pytest.fail(f'"{key(kind)}" cannot be turned into bars: mend its `support` or `seen_from`')
        assert isinstance(bars, Histogram)
