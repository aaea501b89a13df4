"""The laws of the loss of each noise, from the densities alone, for the cases of Persuasive Privacy."""

from __future__ import annotations

from fractions import Fraction

import mpmath as mp

from .accuracy_cases import phi
from .book import Book, exact

BOOK = Book("B", "persuasive_privacy")
add = BOOK.add

LAPLACES = [{"kind": "laplace", "scale": b, "sensitivity": s} for b, s in ((1, 1), (0.5, 2), (30, 1), (1e-3, 1))]
GEOMETRICS = [{"kind": "geometric", "rate": a, "sensitivity": s} for a, s in ((1, 1), (0.25, 2), (0.5, 3), (2.5, 4))]
GAUSSIANS = [{"kind": "gaussian", "sd": b, "sensitivity": s} for b, s in ((1, 1), (0.3, 1), (20, 1))]
TABLES = [
    {"kind": "table", "px": [0.2, 0.3, 0.5], "pxp": [0.5, 0.3, 0.2]},
    {"kind": "table", "px": [0.5, 0.5, 0], "pxp": [0.5, 0, 0.5]},
]


class Lattice:
    """The losses of a law with atoms only: [(loss, mass)], the losses of geometric noise in rationals."""

    def __init__(self, mechanism):
        if mechanism["kind"] == "table":
            rows = list(zip(map(exact, mechanism["px"]), map(exact, mechanism["pxp"]), strict=True))
            self.atoms = [(mp.log(p / q) if q else mp.inf, p) for p, q in rows if p]
            self.free = sum((q for p, q in rows if not p), mp.mpf(0))
            return
        rate, d = Fraction(repr(float(mechanism["rate"]))), mechanism["sensitivity"]
        a = mp.exp(-exact(mechanism["rate"]))
        law = {d: 1 / (1 + a), -d: a**d / (1 + a)} | {d - 2 * z: (1 - a) / (1 + a) * a**z for z in range(1, d)}
        self.atoms, self.free = (
            [(mp.mpf((k * rate).numerator) / (k * rate).denominator, m) for k, m in law.items()],
            mp.mpf(0),
        )


def above(mechanism, e):
    """P(loss > e)."""
    e = exact(e) if not isinstance(e, mp.mpf) else e
    if mechanism["kind"] == "laplace":
        a = exact(mechanism["sensitivity"]) / exact(mechanism["scale"])
        return mp.mpf(0) if e >= a else mp.mpf(1) if e < -a else 1 - mp.exp(-(a - e) / 2) / 2
    if mechanism["kind"] == "gaussian":
        rho = exact(mechanism["sensitivity"]) / exact(mechanism["sd"])
        return phi(rho / 2 - e / rho) if e < mp.inf else mp.mpf(0)
    return mp.fsum(m for x, m in Lattice(mechanism).atoms if x > e + mp.mpf(10) ** -30)


def stick(mechanism, e):
    """Hockey stick: the sum of (px - e^eps pxp)+."""
    e = exact(e)
    if e == mp.inf:
        return (
            mp.fsum(m for x, m in Lattice(mechanism).atoms if x == mp.inf)
            if mechanism["kind"] == "table"
            else mp.mpf(0)
        )
    if mechanism["kind"] == "laplace":
        a = exact(mechanism["sensitivity"]) / exact(mechanism["scale"])
        return mp.mpf(0) if e >= a else -mp.expm1(e) if e <= -a else -mp.expm1((e - a) / 2)
    if mechanism["kind"] == "gaussian":
        rho = exact(mechanism["sensitivity"]) / exact(mechanism["sd"])
        with mp.workdps(80):
            return phi(rho / 2 - e / rho) - mp.exp(e) * phi(-rho / 2 - e / rho)
    return mp.fsum(m * -mp.expm1(e - x) if x < mp.inf else m for x, m in Lattice(mechanism).atoms if x > e)


def effective(w, kappa):
    w, kappa = exact(w), exact(kappa)
    return mp.inf if kappa == mp.inf or w >= mp.exp(-kappa) else mp.log((1 - w) / (mp.exp(-kappa) - w))
