"""What holds for every test: windows are drawn off screen unless a platform is asked for."""

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["LC_ALL"] = "C.UTF-8"  # the language of the computer decides what is said where none is named
os.environ["DPWIZARD_STRICT_WORDS"] = "1"  # a text without its words is an error here, not shown as its key
os.environ["OPENBLAS_NUM_THREADS"] = "1"  # the workers of a run share the cores; threads wait for one another

# Every test with @given draws the same few examples in each run; `pytest --hypothesis-profile=soak` draws many.
settings.register_profile(
    "suite", max_examples=25, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("soak", settings.get_profile("suite"), max_examples=1_000)
settings.load_profile("suite")


@pytest.fixture(scope="module", autouse=True)
def quick_keys() -> Iterator[None]:
    """Make key files that are quick to open: the rounds that slow a guesser down would slow each test down, too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dpwizard.signing.identity.ROUNDS", 1_000)
        yield


@pytest.fixture(autouse=True)
def records_made_again_here(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make records again in this process: starting another takes a second. Tests of that process are marked."""
    from dpwizard.report import typesetter
    from dpwizard.signing import remaking
    from dpwizard.signing.bounded import Bounded, answer, reply_value, spelled
    from tests.samples.made_once import BY_ALL_THREADS
    from tests.samples.signed_record import remake

    asked: dict[object, bytes] = {}
    if request.node.get_closest_marker("own_process") is None:
        monkeypatch.setattr(typesetter, "_CURRENT", BY_ALL_THREADS)
        monkeypatch.setattr(remaking, "remake_here", remake)
        monkeypatch.setattr(Bounded, "ask", lambda own, *task: asked.update({own: spelled(task)}))
        monkeypatch.setattr(Bounded, "answer", lambda own, kind: reply_value(kind, answer(asked.pop(own))))
        monkeypatch.setattr(Bounded, "start", lambda process: process)


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    """Begin in English and in epsilon, whatever the test before it left in this process."""
    from dpwizard.base.language import ENGLISH, counting, speaking

    with speaking(ENGLISH), counting("epsilon"):
        yield
