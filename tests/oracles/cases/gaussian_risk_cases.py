"""Cases of what an intruder may conclude under any noise: the curves in fifty digits, listed outcomes, quadrature.

The curves of zCDP and of both noises together have oracles of their own in tests/model/test_trade_off_curves.py.
"""

from __future__ import annotations

import itertools

import mpmath as mp

from .book import ENDLESS, Book, exact
from .book import root as halved

BOOK = Book("J", "gaussian_risk")
ROOT_2 = 1.4142135623730951
HITS = (1e-6, 0.001, 0.01, 0.1, 0.3, 0.5, 0.7, 0.95)
PEOPLE = ((0.1, 1), (0.1, 0.1), (1, 0.01), (0.3, 0.4))


def root(function, low, high, steps=110):
    return halved(function, low, high, steps)


def phi(x):
    return mp.ncdf(x)


def quantile(p):
    """Phi^-1, by the inverse error function of the smaller side."""
    p = exact(p)
    if p > 0.5:
        return -quantile(1 - p)
    low, high = mp.mpf(-45), mp.mpf(0)
    return root(lambda x: phi(x) - p, low, high, 130)


def gaussian(hit, mu):
    return phi(quantile(hit) - exact(mu))


def pure(hit, epsilon):
    b, e = exact(hit), exact(epsilon)
    return max(mp.exp(-e) * b, 1 - mp.exp(e) * (1 - b))


def laplace(hit, epsilon):
    b, e = exact(hit), exact(epsilon)
    if b <= 0.5:
        return mp.exp(-e) * b
    return mp.exp(-e) / (4 * (1 - b)) if b <= 1 - mp.exp(-e) / 2 else 1 - mp.exp(e) * (1 - b)


def approximate(hit, points):
    b = exact(hit)
    found = [mp.mpf(0)]
    for epsilon, delta in points:
        e, d = exact(epsilon), exact(delta)
        found += [mp.exp(-e) * (b - d), 1 - d - mp.exp(e) * (1 - b)]
    return max(found)


def discrete(hit, sigma, distance):
    s, b = exact(sigma), exact(hit)
    reach = int(40 * s) + 40
    whole = mp.fsum(mp.exp(-(mp.mpf(k) ** 2) / (2 * s * s)) for k in range(-reach, reach + 1))

    def tail(j):
        return mp.fsum(mp.exp(-(mp.mpf(k) ** 2) / (2 * s * s)) for k in range(j, reach + 1)) / whole

    j, above = reach, mp.mpf(0)
    while above + mp.exp(-(mp.mpf(j - 1) ** 2) / (2 * s * s)) / whole <= b:
        j -= 1
        above += mp.exp(-(mp.mpf(j) ** 2) / (2 * s * s)) / whole
    part = (b - tail(j)) / (tail(j - 1) - tail(j))
    return tail(j + distance) + part * (tail(j - 1 + distance) - tail(j + distance))


CURVES = (
    *(({"kind": "gaussian", "mu": mu}, lambda h, c, mu=mu: gaussian(h, exact(mu) * exact(c))) for mu in (0.05, 0.7, 3)),
    *(({"kind": "pure", "epsilon": e}, lambda h, c, e=e: pure(h, exact(e) * exact(c))) for e in (0.2, 1, 4)),
    *(({"kind": "laplace", "epsilon": e}, lambda h, c, e=e: laplace(h, exact(e) * exact(c))) for e in (0.2, 1, 4)),
)


def twice(curve, hit, factor):
    once = curve(hit)
    return once if factor == 1 or once <= 0 else curve(once)


def alarms():
    for (mechanism, curve), hit, factor in itertools.product(CURVES, HITS, (1, ROOT_2, 2)):
        args = {"mechanism": mechanism, "hit": hit, "replace_factor": factor}
        BOOK.add("closed curves", "false_alarm", args, curve(hit, factor), rel=2e-12, safe="low")
    points = [[0.1, 0.2], [0.8, 0.01], [2, 1e-6]]
    for hit, factor in itertools.product(HITS, (1, 2)):
        for mechanism, pairs in (
            ({"kind": "approximate", "epsilon": 1, "delta": 1e-3}, [[1, 1e-3]]),
            ({"kind": "profile", "points": points}, points),
        ):
            wanted = twice(lambda h, pairs=pairs: approximate(h, pairs), hit, factor)
            args = {"mechanism": mechanism, "hit": hit, "replace_factor": factor}
            BOOK.add("known pairs", "false_alarm", args, wanted, rel=1e-10, safe="low")
        for sigma, distance in ((0.5, 1), (1.5, 1), (3, 2), (25, 30)):
            args = {
                "mechanism": {"kind": "discrete_gaussian", "sigma": sigma, "sensitivity": distance},
                "hit": hit,
                "replace_factor": factor,
            }
            wanted = discrete(hit, sigma, distance * factor)
            BOOK.add("whole noise", "false_alarm", args, wanted, rel=1e-11, safe="low")


def risks():
    for (mechanism, curve), (p, q), tolerance, factor in itertools.product(
        CURVES[1:7:2], PEOPLE, (1e-6, 0.01, 0.4), (1, ROOT_2, 2)
    ):
        x1, x2 = (curve(tolerance, c) / exact(tolerance) for c in (1, factor))
        prior = exact(p) * exact(q)
        known = prior + (1 - exact(p)) * x1 + exact(p) * (1 - exact(q)) * x2
        args = {"p": p, "q": q, "mechanism": mechanism, "tolerance": tolerance, "replace_factor": factor}
        wanted = {
            "ratio": 1 / known,
            "posterior": prior / known,
            "effective_epsilon": -mp.log(x1),
            "effective_epsilon_value": -mp.log(x2),
        }
        BOOK.add("Theorem 1", "risk", args, wanted, rel=1e-11)


def left(p, q, ratio):
    return 1 / exact(ratio) - exact(p) * exact(q)


def exceedances():
    for (p, q), ratio, mu, factor in itertools.product(PEOPLE, (1.5, 4), (0.3, 1.2), (ROOT_2, 2)):
        if left(p, q, ratio) <= 0:
            continue
        w0, w1 = 1 - exact(p), exact(p) * (1 - exact(q))

        room = left(p, q, ratio)

        def over(b, w0=w0, w1=w1, mu=mu, factor=factor, room=room):
            return w0 * gaussian(b, mu) + w1 * gaussian(b, exact(mu) * exact(factor)) - room * b

        truth = root(over, "1e-30", 1 - mp.mpf(10) ** -30, 110)
        args = {"p": p, "q": q, "ratio": ratio, "mechanism": {"kind": "gaussian", "mu": mu}, "replace_factor": factor}
        BOOK.add("Theorem 1", "exceedance", args, {"truth": truth, "predictive": truth / exact(ratio)}, rel=1e-8)
    given = {"p": 0.5, "q": 0.5, "mechanism": {"kind": "gaussian", "mu": 1}}
    BOOK.add("beyond certainty", "exceedance", {**given, "ratio": 4}, {"truth": 0})
    BOOK.add("no rise", "exceedance", {**given, "ratio": 1}, {"truth": 1})
    BOOK.refused("a fall", "exceedance", {**given, "ratio": 0.9})


def worlds():
    for chance, mu in itertools.product((1e-6, 0.01, 0.3, 0.9), (0.1, 1, 2.5)):
        wanted = phi(quantile(chance) + exact(mu))
        mechanism = {"kind": "gaussian", "mu": mu}
        BOOK.add("two worlds", "two_worlds", {"chance_without": chance, "mechanism": mechanism}, wanted, rel=1e-11)
        BOOK.add("guesses", "success_bound", {"baseline": chance, "mechanism": mechanism}, wanted, rel=1e-11)
        wanted = min(mp.exp(exact(mu)) * exact(chance), 1 - mp.exp(-exact(mu)) * (1 - exact(chance)))
        mechanism = {"kind": "pure", "epsilon": mu}
        BOOK.add("largest loss", "two_worlds", {"chance_without": chance, "mechanism": mechanism}, wanted, rel=1e-11)
    for without, most in ((0.01, 0.02), (1e-6, 0.5), (0.3, 0.3000001), (0.9, 0.999), (0.4, 0.6)):
        args = {"chance_without": without, "chance_with": most}
        BOOK.add("two worlds", "two_worlds_mu", args, quantile(most) - quantile(without), rel=1e-9, safe="low")
    BOOK.refused("no rise", "two_worlds_mu", {"chance_without": 0.2, "chance_with": 0.2})
    for mu in (1e-6, 0.3, 1, 4):
        gain = 2 * phi(exact(mu) / 2) - 1
        BOOK.add("attacks", "advantage", {"mu": mu}, gain, rel=1e-12)
        for prior in (0.01, 0.5, 0.8):
            odds = mp.log(exact(prior) / (1 - exact(prior))) / exact(mu)
            best = exact(prior) * phi(exact(mu) / 2 + odds) + (1 - exact(prior)) * phi(exact(mu) / 2 - odds)
            BOOK.add("attacks", "best_success", {"prior": prior, "mu": mu}, best, rel=1e-12)
    for gain in (1e-6, 0.1, 0.5, 0.99):
        wanted = 2 * quantile((1 + exact(gain)) / 2)
        BOOK.add("attacks", "mu_for_advantage", {"advantage": gain}, wanted, rel=1e-12, safe="low")
    for prior, posterior, mu in itertools.product((0.01, 0.3), (0.1, 0.5, 0.9), (0.5, 2)):
        p, a, m = exact(prior), exact(posterior), exact(mu)
        needed = mp.log(a / (1 - a)) - mp.log(p / (1 - p))
        hit, alarm = phi(m / 2 - needed / m), phi(-m / 2 - needed / m)
        wanted = {"hit": hit, "false_alarm": alarm, "precision": p * hit / (p * hit + (1 - p) * alarm)}
        BOOK.add("attacks", "accusation", {"prior": prior, "posterior": posterior, "mu": mu}, wanted, rel=1e-11)


def delta_of(mu, epsilon):
    return phi(mu / 2 - epsilon / mu) - mp.exp(epsilon) * phi(-mu / 2 - epsilon / mu)


def conversions():
    for mu, delta in itertools.product((0.1, 1, 3), (1e-10, 1e-5, 0.01)):
        m, d = exact(mu), exact(delta)
        if delta_of(m, mp.mpf(0)) > d:
            wanted = root(lambda e, m=m, d=d: d - delta_of(m, e), 0, 60)
            BOOK.add("Balle & Wang 2018", "epsilon_from", {"mu": mu, "delta": delta}, wanted, rel=1e-10, safe="high")
    for epsilon, delta in itertools.product((0.1, 1, 5), (1e-10, 1e-5, 0.01)):
        e, d = exact(epsilon), exact(delta)
        wanted = root(lambda m, e=e, d=d: delta_of(m, e) - d, "1e-6", 20)
        BOOK.add("Balle & Wang 2018", "mu_from", {"epsilon": epsilon, "delta": delta}, wanted, rel=1e-10, safe="low")


def limits():
    for (p, q), ratio, tolerance, factor in itertools.product(PEOPLE, (1.5, 3), (1e-6, 0.01), (1, ROOT_2, 2)):
        room = left(p, q, ratio)
        args = {"p": p, "q": q, "ratio": ratio, "tolerance": tolerance, "replace_factor": factor}
        if room <= 0:
            BOOK.add("beyond certainty", "mu_at", args, ENDLESS)
            continue
        w0, w1, c, z = 1 - exact(p), exact(p) * (1 - exact(q)), exact(factor), quantile(tolerance)

        d = exact(tolerance)

        def kept(mu, w0=w0, w1=w1, c=c, z=z, room=room, d=d):
            return room * d - w0 * phi(z - mu) - w1 * phi(z - c * mu)

        BOOK.add("Theorem 3", "mu_at", args, root(kept, 0, 60), rel=1e-10, safe="low")

        def informed(mu, w0=w0, w1=w1, c=c, z=-z, room=room):
            return room - w0 * mp.exp(-mu * z - mu * mu / 2) - w1 * mp.exp(-c * mu * z - c * c * mu * mu / 2)

        BOOK.add("Theorem 2", "informed_mu_at", args, root(informed, 0, 60), rel=1e-10, safe="low")
    for (p, q), mu, factor in itertools.product(PEOPLE[:3], (0.3, 1), (1, 2)):
        ratio = average(p, q, mu, factor)
        args = {"p": p, "q": q, "mu": mu, "replace_factor": factor}
        BOOK.add(
            "Theorem 5", "average_risk", args, {"ratio": ratio, "posterior": ratio * exact(p) * exact(q)}, rel=1e-8
        )
        args = {"p": p, "q": q, "ratio": float(ratio), "replace_factor": factor}
        BOOK.add("Theorem 5", "average_mu_at", args, exact(mu), rel=1e-7)
    for ratio, factor in itertools.product((1.1, 3, 20), (1, ROOT_2, 2)):
        wanted = mp.log(exact(ratio)) / (2 * exact(factor) ** 2)
        BOOK.add("Theorem 5", "average_rho", {"ratio": ratio, "replace_factor": factor}, wanted, rel=1e-12, safe="low")
    for epsilon, tolerance, factor in itertools.product((0.3, 2.2), (1e-6, 0.01), (1, ROOT_2, 2)):
        e, d, c = exact(epsilon), exact(tolerance), exact(factor)

        def shift(loss, d=d):
            return quantile(d) - quantile(d * mp.exp(-loss))

        wanted = min(shift(e), shift(2 * e) / c)
        args = {"epsilon": epsilon, "tolerance": tolerance, "replace_factor": factor}
        BOOK.add("transfer", "transfer", args, wanted, rel=1e-10, safe="low")
    for tolerance, factor, shape in itertools.product((1e-6, 0.01), (1, 2), ("constant", "odds", "cap_or_ratio")):
        d, c = exact(tolerance), exact(factor)

        def largest(theta, d=d):
            return quantile(d) - quantile(d / theta)

        profile, theta = {
            "constant": ({"shape": "constant", "ratio": 3}, mp.mpf(3)),
            "odds": ({"shape": "odds", "factor": 4}, mp.mpf(4)),
            "cap_or_ratio": ({"shape": "cap_or_ratio", "posterior": 0.25, "ratio": 3}, mp.mpf("2.75") / mp.mpf("0.75")),
        }[shape]
        for q, value in (([0, 1], c), (1, mp.mpf(1))):
            args = {"profile": profile, "p": [0, 1], "q": q, "tolerance": tolerance, "replace_factor": factor}
            mu = largest(theta) / value
            BOOK.add("closed forms", "recommend", args, {"mu": mu, "rho": mu * mu / 2}, rel=1e-9)


def average(p, q, mu, factor):
    prior, w0, w1 = exact(p) * exact(q), 1 - exact(p), exact(p) * (1 - exact(q))
    m, v = exact(mu), exact(mu) * exact(factor)

    def at(x):
        doubt = prior + w0 * mp.exp(-m * x - m * m / 2) + w1 * mp.exp(-v * x - v * v / 2)
        return mp.npdf(x) / doubt

    return mp.quad(at, [-14, -6, -2, 0, 2, 6, 14])


with mp.workdps(50):
    alarms()
    risks()
    exceedances()
    worlds()
    conversions()
    limits()
