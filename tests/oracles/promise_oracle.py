"""Does a requirement's promise hold when a release is made at some epsilon? Judged by the definition, for every kind.

`worst(release, requirement, epsilon, at)` takes the plain objects of a decision file and returns (figure, allowed): the
promise holds while the figure is at most what is allowed. The figure comes from the mechanism itself: its noise scale
is worked out from epsilon here, people are given the values that move the statistic most, and what is learned, lost or
missed is enumerated over outputs or integrated. Nothing is imported from the program.

Figures of privacy need a person who moves the statistic by A when added and by R when replaced. A sum of values from A
- R to A does both: the sensitive value is A, the other one A - R, and who is absent adds 0.
"""

from __future__ import annotations

import math
import random
from fractions import Fraction

import mpmath as mp
import numpy as np

from tests.oracles import (
    composition_oracle,
    noise_oracle,
    persuasive_oracle,
    relative_risk_oracle,
    risk_oracle,
)
from tests.oracles.promise_guesses import categorical_advantage, guessing_advantage
from tests.oracles.promise_world import ratios, scale_of, spent_replaced, world

TINY = 1e-9  # how far inside an open end an adversary is looked at, relative to the range


def learned(made, p, q):
    """The largest ratio of posterior to prior probability that the person is in the data and has the sensitive
    value."""
    added = made.added if made.added is not None else 0.0  # who is surely in the data: nothing is compared with absence
    assert made.added is not None or p == 1.0
    others, absents = ratios(made.kind, made.scale, added, (added - made.replaced, 0.0), made.repetitions)
    for loss_added, loss_replaced in made.earlier:
        before = loss_added if loss_added is not None else 0.0
        if loss_added is None:
            assert p == 1.0
        if loss_replaced > 0:
            more, gone = ratios("laplace", 1.0, before, (before - loss_replaced, 0.0))
            others, absents = np.outer(others, more).ravel(), np.outer(absents, gone).ravel()
    return float((1.0 / (p * q + p * (1 - q) * others + (1 - p) * absents)).max())


def _range(belief, otherwise):
    belief = otherwise if belief is None else belief
    return tuple(belief) if isinstance(belief, list | tuple) else (belief, belief)


def adversaries(requirement, at, count=40):
    """Beliefs from the class: random ones, the corners, the places where the profile bends, and the one said to
    bind."""
    p = _range(requirement.get("p"), 1.0 if requirement["adversary"] == "attribute" else None)
    q = _range(requirement.get("q"), 1.0 if requirement["adversary"] == "inclusion" else None)
    low = [max(box[0], TINY * box[1]) for box in (p, q)]
    profile, rng = requirement["profile"], random.Random(5)
    marks = list(profile.get("edges", ())) + [point[0] for point in profile.get("points", ())]
    lines = []
    for i, box in enumerate((p, q)):
        drawn = [low[i] * (box[1] / low[i]) ** rng.random() for _ in range(count)] + [
            rng.uniform(low[i], box[1]) for _ in range(count)
        ]
        named = [m for m in marks + list(profile.get("pq"[i], ())) if low[i] <= m <= box[1]]
        lines.append((drawn, [low[i], box[1], *named]))
    found = list(zip(*(drawn for drawn, _ in lines), strict=True)) + [(a, b) for a in lines[0][1] for b in lines[1][1]]
    if at and at.get("p") is not None:
        near = []
        for name, box, least in (("p", p, low[0]), ("q", q, low[1])):
            value = min(max(at[name], least), box[1])
            near.append({value, *(w for w in (value * (1 - 1e-7), value * (1 + 1e-7)) if least <= w <= box[1])})
        found += [(a, b) for a in near[0] for b in near[1]]
    return found


def relative_risk(release, requirement, epsilon, at):
    """The largest of learned ratio / allowed ratio over the class: at most 1."""
    made, worst = world(release, epsilon), 0.0
    for p, q in adversaries(requirement, at):
        allowed = float(relative_risk_oracle.ratio_of(requirement["profile"], p, q))
        worst = max(worst, learned(made, p, q) / allowed)
    return worst, 1.0


def lee_clifton(release, requirement, epsilon, at):
    """The chance of naming the right one of n people: the world without them differs by `difference` from that without
    another.

    Two such worlds differ by a person replaced. Earlier releases may tell any two of them apart, however little they
    differ.
    """
    made = world(release, epsilon)
    far = requirement.get("difference", 1.0)
    if release.get("parts"):
        far = made.replaced  # of several tables no difference is known
    (others,) = ratios("laplace", made.scale, far, (0.0,), made.repetitions)
    others = others * math.exp(-spent_replaced(made))
    return float((1 / (1 + (requirement["population"] - 1) * others)).max()), requirement["posterior"]


def participation(release, requirement, epsilon, at):
    """The chance after a release with the person, who adds A if the statement is true and -A if not; absent, the
    release says nothing."""
    made = world(release, epsilon)
    assert made.added is not None
    (others,) = ratios(made.kind, made.scale, made.added, (-made.added,), made.repetitions)
    for loss, _ in made.earlier:
        (more,) = ratios("laplace", 1.0, loss, (-loss,))
        others = np.outer(others, more).ravel()
    before = requirement["posterior_without"]
    return float((before / (before + (1 - before) * others)).max()), requirement["posterior_with"]


# ----------------------------------------------------------------------------- losses and their cost


def privacy_at_risk(release, requirement, epsilon, at):
    """The chance that the loss of the worst pair leaves the level; several numbers or repetitions count as certain to
    if they can."""
    made = world(release, epsilon)
    level, full = requirement["level"], made.replaced / made.scale
    if made.repetitions > 1 or release.get("dimension", 1) > 1 or made.earlier or release.get("parts"):
        return made.repetitions * full + spent_replaced(made), level
    if made.kind == "geometric":
        steps = round(made.replaced)
        rounded = float(repr(round(full, 11)))  # ties are decided as the numbers are written
        return 1 - risk_oracle.geometric_within(rounded, steps, level), 1 - requirement["confidence"]
    outside = [0.0] + [1 - _laplace_within(full * share, level) for share in (0.25, 0.5, 0.9, 1.0)]
    return max(outside), 1 - requirement["confidence"]


def _laplace_within(full, level):
    """P(|loss| <= level) of Laplace noise of scale 1/full, truth 0, neighbour 1: between two outputs, if any lose less
    than `full`."""
    if full <= level * (1 + 1e-12):
        return 1.0
    low, high = (1 - level / full) / 2, (1 + level / full) / 2  # where the loss is +level and -level
    return 0.5 * (math.exp(-full * low) - math.exp(-full * high))


def compensation(release, requirement, epsilon, at):
    """What all people together cost: by epsilon, or on average over the loss that the mechanism really makes."""
    made = world(release, epsilon)
    with mp.workdps(30):
        floor, cost, rate = (
            mp.mpf(requirement.get(name, default)) for name, default in (("floor", 0), ("cost", None), ("rate", 1))
        )
        losses = sum(
            e["epsilon"] * (1 if e["neighbours"] == release["neighbours"] else 2) for e in release.get("spent", ())
        )
        if requirement.get("model", "plain") == "plain":
            whole = made.repetitions * mp.mpf(epsilon) + (losses if made.earlier else 0)
            one = floor + cost * mp.exp(-rate / whole)
        else:
            share, steps = risk_oracle.cost(rate), round(made.declared)
            mean = risk_oracle.laplace_mean(epsilon, share, risk_oracle.halving(epsilon, float(rate)))
            if made.kind == "geometric":
                mean = risk_oracle.geometric_mean(epsilon, steps, share)
            one = floor + cost * mean
        return float(requirement["people"] * one), requirement["money"]


def budget(release, requirement, epsilon, at):
    """Basic: the sum. Otherwise the exact delta of all repetitions at what is left of the total."""
    made, rule = world(release, epsilon, always_spent=True), requirement.get("composition", "basic")
    spent = sum(e["epsilon"] * (1 if e["neighbours"] == release["neighbours"] else 2) for e in release.get("spent", ()))
    left, times = requirement["total"] - spent, made.repetitions
    if rule == "basic":
        return epsilon * times, left
    if made.kind == "gaussian":
        return float(
            noise_oracle.gaussian_hockey_stick(math.sqrt(times) * made.declared / made.scale, left)
        ), requirement["delta"]
    if epsilon * times <= left:
        return 0.0, requirement["delta"]
    if rule == "advanced":
        root = math.sqrt(2 * times * math.log(1 / requirement["delta"]))
        return min(epsilon * times, root * epsilon + times * epsilon * math.expm1(epsilon)), left
    if rule == "optimal":
        return float(composition_oracle.randomised_response_delta(epsilon, times, left)), requirement["delta"]
    if made.kind == "geometric":
        return float(composition_oracle.geometric_delta(((epsilon, times),), round(made.declared), left)), requirement[
            "delta"
        ]
    return float(composition_oracle.laplace_delta(epsilon, times, left)), requirement["delta"]


# --------------------------------------------------------------------------------------- predictions


def persuasive_privacy(release, requirement, epsilon, at):
    """The chance that the score of a prediction gains more than kappa, at most delta; certain gains compared as
    gains."""
    made, score, kappa = world(release, epsilon), requirement["score"], requirement["kappa"]
    delta = requirement.get("delta", 0.0)
    if score == "log":
        least = requirement["prior_mass"]
        beliefs = [least, *(m for m in (0.05, 0.3, 0.7) if m > least)]
        if made.kind != "gaussian" and delta == 0.0:  # certain: the largest loss there is
            loss = made.loss_of_a_change()
            return max(-math.log(w + (1 - w) * math.exp(-loss)) for w in beliefs), kappa
        scale = made.scale / math.sqrt(made.repetitions)  # so many Gaussian figures tell as much as their mean
        return max(1 - _log_hold(made.kind, scale, made.replaced, w, kappa) for w in beliefs), delta
    if score == "dawid_sebastiani":
        psi, most = (made.scale / requirement["prior_sd"]) ** 2, math.sqrt(requirement["r1"])
        # one value a standard deviations off, released with noise: what is seen has correlation 1 with it
        if delta == 0.0:
            gains = [persuasive_oracle.dawid_sebastiani_gain(a, a, 1.0, psi, _best_noise(a, psi)) for a in (0.0, most)]
            return max(gains), kappa
        broken = [1 - persuasive_oracle.dawid_sebastiani_hold(a, a, 1.0, psi, kappa) for a in np.linspace(0, most, 12)]
        return max(broken), delta
    loss = persuasive_oracle.gaussian_interval_loss if made.kind == "gaussian" else laplace_interval_loss
    nearest = requirement["length"] / 2 + requirement["margin"]
    reach = nearest + 6 * requirement["prior_sd"] * (1 + made.scale / requirement["prior_sd"])
    places = np.unique(
        np.concatenate([np.linspace(nearest, reach, 80), nearest + (reach - nearest) * np.geomspace(1e-6, 1, 40)])
    )
    return max(loss(requirement["prior_sd"], made.scale, requirement["length"], max(d, nearest)) for d in places), delta


def _log_hold(kind, scale, shift, mass, kappa):
    """P(gain <= kappa) for two values `shift` apart; mass 0 on the truth stands for the limit."""
    mass = max(mass, 1e-12)
    if kind == "geometric":
        return persuasive_oracle.hold_geometric(1 / scale, (0, round(shift)), (mass, 1 - mass), 0, kappa)
    return persuasive_oracle.hold_continuous(kind, scale, (0.0, shift), (mass, 1 - mass), 0, kappa)


def _best_noise(a, psi):
    """The noise that puts the receiver's mean on the truth: mean = (a + sqrt(psi) g)/(1 + psi) = a."""
    return a * math.sqrt(psi)


def laplace_interval_loss(prior_sd, scale, length, distance):
    """P(|centre - truth| <= length/2), the centre an increasing function of the output, clipped: between two
    outputs."""
    if distance <= length / 2:
        return 0.0
    slope, most = 2 * prior_sd**2 / (length * scale + 2 * prior_sd**2), prior_sd**2 / scale
    low, high = distance - length / 2, distance + length / 2
    if low > most:
        return 0.0
    first = low / slope - distance  # the noise from which the centre is near enough
    last = high / slope - distance if high < most else math.inf
    return persuasive_oracle.noise_cdf("laplace", scale, last) - persuasive_oracle.noise_cdf("laplace", scale, first)


def exact_mean(release, requirement, epsilon, at):
    """The largest gain about one value from the mean, for data as surprising as assumed, conditioning to sixty
    digits."""
    if requirement.get("covariance") is not None:
        covariance = requirement["covariance"]
    else:
        n, rho = requirement["n"], requirement["correlation"]
        covariance = [[1.0 if i == j else rho for j in range(n)] for i in range(n)]
    n = len(covariance)
    row, gains, rng = [1.0 / n] * n, [], random.Random(3)
    sigma = np.array(covariance)
    variance = sigma.sum() / n**2
    for index in range(n):
        loads = sigma[index].sum() / n
        for share in (1.0, -0.6, 0.3, rng.uniform(-1, 1)):
            off = share * math.sqrt(requirement["r1"] * variance)  # of the mean, from its prior mean
            data = np.full(n, off)
            if loads:  # the value itself is placed where the receiver's guess will fall
                data[index] = off * sigma[index, index] / loads
                data[[i for i in range(n) if i != index]] = (n * off - data[index]) / (n - 1)
            _, _, gain = persuasive_oracle.conditional(covariance, [row], None, index, data=[float(x) for x in data])
            gains.append(float(gain))
    return max(gains), requirement["kappa"]


# ----------------------------------------------------------------------------------------- accuracy


def number(release, requirement, epsilon):
    """Kind and scale of the noise on the one number that a requirement of accuracy speaks of."""
    parts = release.get("parts", ())
    part = next((p for p in parts if p["name"] == requirement.get("part")), None)
    sensitivity, share = (part["sensitivity"], part["share"]) if part else (release["sensitivity"], 1.0)
    kind = (part or {}).get("mechanism") or release["mechanism"]
    delta = release.get("delta")
    if kind != "gaussian":
        return kind, scale_of(kind, epsilon * share, sensitivity, delta)
    # Gaussian tables are made together at delta; of the square of what they tell each has its share
    others = [p["share"] for p in parts if (p.get("mechanism") or release["mechanism"]) == "gaussian"]
    together = sum(others) if len(others) < len(parts) else 1.0
    return kind, scale_of(kind, epsilon * together, sensitivity, delta) * math.sqrt(together / share)


def rmse(release, requirement, epsilon, at):
    kind, scale = number(release, requirement, epsilon)
    if kind == "geometric":
        return math.sqrt(noise_oracle.geometric_moments(1 / scale)[0]), requirement["at_most"]
    return scale * float(mp.sqrt(_moment(kind, 2))), requirement["at_most"]


def mean_absolute_error(release, requirement, epsilon, at):
    kind, scale = number(release, requirement, epsilon)
    if kind == "geometric":
        return float(noise_oracle.geometric_moments(1 / scale)[1]), requirement["at_most"]
    return scale * float(_moment(kind, 1)), requirement["at_most"]


def _moment(kind, power):
    """E|noise|^power at scale 1, by integrating its density."""
    with mp.workdps(25):
        density = (lambda x: mp.exp(-x) / 2) if kind == "laplace" else mp.npdf
        return 2 * mp.quad(lambda x: x**power * density(x), [0, 1, 4, 12, 60])


def noise_interval(release, requirement, epsilon, at):
    """The chance of missing the half-width."""
    kind, scale = number(release, requirement, epsilon)
    width = requirement["half_width"]
    if kind == "geometric":
        outside = 1 - noise_oracle.geometric_within(math.floor(width), 1 / scale)
    elif kind == "laplace":
        outside = mp.quad(lambda x: mp.exp(-x), [width / scale, width / scale + 60])
    else:
        outside = mp.erfc(width / scale / mp.sqrt(2))
    return float(outside), 1 - requirement["level"]


def exact_probability(release, requirement, epsilon, at):
    _, scale = number(release, requirement, epsilon)
    return float(1 - noise_oracle.geometric_mass(0, 1 / scale)), 1 - requirement["at_least"]


def switch_probability(release, requirement, epsilon, at):
    """The chance that the noisy count lies on the other side of its threshold, for the true counts assumed."""
    _, scale = number(release, requirement, epsilon)
    if requirement.get("steps") is not None:
        return float(noise_oracle.geometric_at_most(-requirement["steps"], 1 / scale)), requirement["at_most"]
    target, per, deviation = (Fraction(repr(float(requirement[name]))) for name in ("target", "per", "deviation"))
    records = Fraction(requirement["records"])
    threshold = math.floor(records * target / per)
    above = max(threshold + 1, math.floor(records * (target + deviation) / per + Fraction(1, 2)))
    below = min(threshold, math.floor(records * (target - deviation) / per + Fraction(1, 2)))
    side = requirement.get("side", "worst")
    chances = []
    if side in ("above", "worst"):  # noise of at most threshold - true count
        chances.append(noise_oracle.geometric_at_most(threshold - above, 1 / scale))
    if side in ("below", "worst"):  # noise of at least threshold + 1 - true count, which is as likely as its negative
        chances.append(noise_oracle.geometric_at_most(below - threshold - 1, 1 / scale))
    return float(max(chances)), requirement["at_most"]


KINDS = {
    judge.__name__: judge
    for judge in (
        relative_risk,
        lee_clifton,
        participation,
        guessing_advantage,
        categorical_advantage,
        privacy_at_risk,
        compensation,
        persuasive_privacy,
        exact_mean,
        budget,
        rmse,
        mean_absolute_error,
        noise_interval,
        exact_probability,
        switch_probability,
    )
}


def worst(release, requirement, epsilon, at=None):
    """(figure, allowed) of a plain requirement when a plain release is made at EPSILON; AT is the adversary said to
    bind."""
    return KINDS[requirement["kind"]](release, requirement, epsilon, at)
