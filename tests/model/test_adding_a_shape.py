"""What every shape of a risk profile owes; a shape that lacks one fails here with a sentence that names the step."""

from __future__ import annotations

import importlib
import math
import pkgutil
import random
import string
from fractions import Fraction
from itertools import chain
from typing import get_args

import numpy as np
import pytest

from dpwizard.base.errors import DPWizardError
from dpwizard.base.language import LANGUAGES, speaking, translated
from dpwizard.base.values import Variant, plain, read
from dpwizard.charts import comparison, curves, profile_handles
from dpwizard.decision import assess, read_decision
from dpwizard.decision.requirements import RelativeRisk
from dpwizard.privacy import profiles as package
from dpwizard.privacy import relative_risk
from dpwizard.privacy.profiles import Piece, Profile, Shape, View
from dpwizard.report.phrases import words
from dpwizard.report.values import profile_promise
from tests.oracles import relative_risk_oracle as oracle
from tests.samples import profiles

UNION = get_args(get_args(Profile)[0])
VIEWS = tuple(View(axis=axis, low=1e-3, high=1.0, other=1.0) for axis in ("p", "q"))
BOX = {"p": [0.001, 1], "q": [0.01, 1]}
every_shape = pytest.mark.parametrize("kind", UNION, ids=lambda kind: kind.__name__)


def key(kind: type[Shape]) -> str:
    return str(kind.model_fields["shape"].default)


def samples(kind: type[Shape]) -> list[Shape]:
    assert key(kind) in profiles.FILES, f"write tests/samples/profiles/{key(kind)}.py with its SAMPLES"
    return [read(Profile, {"shape": key(kind), **one}) for one in profiles.FILES[key(kind)].SAMPLES]


def decision_with(profile: Shape, epsilon: float | None = None) -> dict[str, object]:
    both = {"kind": "relative_risk", "adversary": "both", **BOX, "profile": profile.model_dump(mode="json")}
    release = {"statistic": "count", "neighbours": "add_remove", "sensitivity": 1, "mechanism": "geometric"}
    return {"format": "dpwizard.decision/1", "release": release, "requirements": [both], "epsilon": epsilon}


def test_every_class_of_the_package_is_in_the_union() -> None:
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)
    left_out = [one.__name__ for one in Shape.__subclasses__() if one not in UNION]
    assert left_out == [], f"name {left_out} in the union Profile of dpwizard/privacy/profiles/__init__.py"


@every_shape
def test_every_shape_has_samples_and_can_be_drawn_at_random(kind: type[Shape]) -> None:
    file = f"tests/samples/profiles/{key(kind)}.py"
    assert samples(kind)[0].missing() == (), f"the first sample in {file} lacks fields"
    assert read(Profile, profiles.at_random(random.Random(1), key(kind))).missing() == (), f"mend `drawn` of {file}"


@every_shape
def test_every_shape_is_known_to_the_oracle(kind: type[Shape]) -> None:
    step = f"write `ratio` in tests/samples/profiles/{key(kind)}.py from the paper, or mend the pieces of the shape"
    p, q = (side.ravel() for side in np.meshgrid(np.geomspace(1e-4, 1, 9), np.geomspace(1e-3, 1, 7)))
    for one in samples(kind):
        np.testing.assert_allclose(one.ratio_at(p, q), oracle.ratio_of(one.model_dump(), p, q), rtol=1e-9, err_msg=step)
        if one.mesh() is None:
            exact = [float(oracle.ratio_exact(one.model_dump(), 0.3, each)) for each in (0.2, 0.7)]
            np.testing.assert_allclose(one.ratio_at(0.3, [0.2, 0.7]), exact, rtol=1e-9, err_msg=step)


def piece_ratio(piece: Piece, prior: float) -> float:
    return math.exp(float(piece.log_ratio(np.array(math.log(prior)))))


@every_shape
def test_the_solver_walks_what_every_shape_allows(kind: type[Shape]) -> None:
    step = f'say in `pieces` (or `mesh`) of the class of "{key(kind)}" what the solver walks'
    for one in samples(kind):
        mesh = one.mesh()
        if mesh is not None:
            walked = [("q", mesh.along("q", 0.3)), ("p", mesh.along("p", 0.4))]
        else:
            try:
                walked = [one.pieces()]
            except TypeError:
                pytest.fail(step)
        for axis, pieces in walked:
            for prior in np.geomspace(1e-4, 1, 23).tolist():
                at = {"p": (prior, 0.4), "q": (0.3, prior), "pq": (prior, 1.0)}[axis]
                held = min(piece_ratio(piece, prior) for piece in pieces if piece.low <= prior <= piece.high)
                assert held == pytest.approx(one.ratio_at(*at), rel=1e-9), step


@every_shape
def test_every_piece_says_its_exponent_its_convexity_and_its_exact_ratio(kind: type[Shape]) -> None:
    for one in samples(kind):
        for piece in () if one.mesh() is not None else one.pieces()[1]:
            low, high = max(float(piece.low), 1e-4), float(piece.high)
            if low >= high:
                continue
            priors = np.linspace(low, high, 9)[1:-1]
            logs, name = np.log(priors), f"{type(piece).__name__} of {key(kind)!r}"
            if np.all(np.isfinite(piece.log_ratio(logs))):
                slopes = (piece.log_ratio(logs - 1e-6) - piece.log_ratio(logs + 1e-6)) / 2e-6
                np.testing.assert_allclose(piece.exponent(logs), slopes, atol=1e-6, err_msg=f"exponent of {name}")
                inverse = np.exp(-piece.log_ratio(np.log(np.array([low, (low + high) / 2, high]))))
                bend = inverse[1] - (inverse[0] + inverse[2]) / 2
                assert bend <= 1e-12 or piece.concave(), f"1/r* of {name} is concave: say so"
            for prior in priors:
                exact = piece.exact_ratio(Fraction(float(prior)))
                if exact is not None:
                    found = math.exp(float(piece.log_ratio(np.array(math.log(prior)))))
                    assert float(exact) == pytest.approx(found, rel=1e-12), f"exact_ratio of {name}"


@every_shape
def test_what_every_shape_promises_is_kept_at_the_epsilon_it_allows(kind: type[Shape]) -> None:
    for one in samples(kind):
        found = relative_risk.recommend(profile=one, p=(0.001, 1), q=(0.01, 1))
        if found.status == "infeasible":
            continue
        least, _, _ = oracle.grid_minimum(one.model_dump(), (0.001, 1), (0.01, 1), points=13, zooms=4)
        epsilon = math.inf if found.epsilon is None else found.epsilon
        assert epsilon <= least * (1 + 1e-9) + 1e-12, f'the pieces of "{key(kind)}" allow more than it promises'


@every_shape
def test_every_shape_is_said_in_every_language(kind: type[Shape]) -> None:
    for name in ("title", "promise"):
        assert getattr(kind, name, ""), f'declare the English `{name}` in the class of "{key(kind)}"'
    for language in LANGUAGES[1:]:
        fields = [text for field in kind.model_fields.values() for text in (field.title, field.description)]
        for text in filter(None, chain(kind.texts(), fields)):
            step = f'say "{text}" in resources/locale/{language}/LC_MESSAGES/dpwizard.po'
            with speaking(language):
                other = translated("label", text)
            assert other, step
            parts = [list(string.Formatter().parse(said)) for said in (text, other)]
            places = [sorted((name, way) for _, name, way, _ in one if name) for one in parts]
            assert places[0] == places[1], f"{step} with the same figures"
    for one in samples(kind):
        for language in LANGUAGES:
            with speaking(language):
                promised = profile_promise(one, words(language))
                assert promised, f'mend the promise of "{key(kind)}": it needs what `figures` gives'
                assert "{" not in promised


@every_shape
def test_every_shape_has_something_to_take_hold_of_that_goes_where_the_hand_asks(kind: type[Shape]) -> None:
    surface = samples(kind)[0].mesh() is not None  # typed into its table: no curve shows all of it
    assert kind.handles or surface, f'name the `handles` of the class of "{key(kind)}"'
    found = [(one, view) for one in samples(kind) for view in VIEWS if one.grips(view)]
    assert found or surface, f'give the class of "{key(kind)}" a handle: `_grips` and `_drag`'
    for one, view in found:
        offered = profile_handles.handles(one, view)
        assert profile_handles.hint(offered, one)
        for index, (grip, handle) in enumerate(zip(one.grips(view), offered, strict=True)):
            assert grip.name in kind.handles, f'name "{grip.name}" among the handles of "{key(kind)}"'
            assert "{" not in handle.name
            try:
                moved = one.moved(index, view, grip.x * 0.97, max(grip.y * 0.97, 1.0))
            except DPWizardError:
                pytest.fail(f'say in `_drag` of the class of "{key(kind)}" what moving its handle means')
            now = moved.profile.grips(view)[index]
            assert grip.way == "across" or now.y <= max(grip.y, 1.0) * 1.001
            assert moved.held or grip.y <= 1.0 or moved.profile != one


@every_shape
def test_every_shape_is_drawn_and_compared_with_others(kind: type[Shape]) -> None:
    assert kind.brief or kind.excess is not Shape.excess, (
        f'say `brief` in the class of "{key(kind)}" for the table of profiles, or `excess` for a curve drawn by hand'
    )
    for one in samples(kind):
        decision = read_decision(decision_with(one, 0.5))
        requirement = decision.requirements[0]
        assert isinstance(requirement, RelativeRisk)
        offered = comparison.candidates(requirement)
        assert offered[0].profile == one
        assert len(offered) > 1
        assert all(candidate.name and "{" not in candidate.name for candidate in offered)
        answer = assess(decision).answers[0]
        assert answer.status in ("allowed", "unbounded", "infeasible")
        if answer.status != "infeasible":
            drawn = curves.risk_curves(requirement, decision.release, plain(assess(decision))["answers"][0], 0.5)
            assert drawn, f'nothing is drawn of "{key(kind)}"'


def test_what_is_said_of_a_kind_is_declared_once() -> None:
    every = [text for kind in UNION for text in (kind.title, kind.promise)]
    assert len(every) == len(set(every))
    assert all(issubclass(kind, Variant) for kind in UNION)
