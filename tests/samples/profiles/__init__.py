"""Every shape of a risk profile for the tests: a file for each, found by its name.

A file says what tests over shapes walk: SAMPLES, as a decision file states them and the plainest first; `drawn`, one at
random; and `ratio`, what the shape allows at beliefs p and q, written from the paper alone, for floats and mpmath
numbers alike. It imports nothing of the program.
"""

from __future__ import annotations

import importlib
import pkgutil
import random
from typing import Any

Stated = dict[str, Any]

FILES: dict[str, Any] = {
    module.name: found
    for module in pkgutil.iter_modules(__path__)
    if hasattr(found := importlib.import_module(f"{__name__}.{module.name}"), "SAMPLES")
}
SHAPES = tuple(sorted(FILES))


def sample(shape: str) -> Stated:
    """Return the plainest profile of SHAPE."""
    return {"shape": shape, **FILES[shape].SAMPLES[0]}


def every() -> tuple[Stated, ...]:
    """Return every sample."""
    return tuple({"shape": shape, **stated} for shape in SHAPES for stated in FILES[shape].SAMPLES)


def named(stated: Stated) -> str:
    """Return what a test over samples is called after."""
    return f"{stated['shape']}-{stated.get('axis', '')}"


def at_random(rng: random.Random, shape: str) -> Stated:
    """Return a profile of SHAPE with numbers drawn at random."""
    return {"shape": shape, **FILES[shape].drawn(rng)}


def ratio(stated: Stated, p: Any, q: Any) -> Any:
    """Return what a profile allows at beliefs p and q."""
    return FILES[stated["shape"]].ratio(stated, p, q)
