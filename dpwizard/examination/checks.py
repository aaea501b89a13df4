"""The checks of each statement of a claim except its sums, each by its own arithmetic."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from dpwizard.base.numerics import real
from dpwizard.decision import OVER_TIME, Reason
from dpwizard.examination.arithmetic import (
    FORMULAS,
    NEAR,
    RULES,
    between,
    by_rules,
    fixed,
    group_delta,
    meaning,
    of_exact,
    of_mu,
    rising,
    sampled,
    usable,
)
from dpwizard.examination.claim import Claim, NoiseClaim
from dpwizard.examination.finding import ClaimVerdict, Derived
from dpwizard.examination.printed import exact, number, slack
from dpwizard.examination.sums import SIGNS, about, amount, compared, together
from dpwizard.privacy.compute import find
from dpwizard.privacy.mechanisms import mechanism_named

UNDIVIDED = (None, "none")  # slices of claims whose unit may be all of one person's data
MOST_TIGHT = 100_000  # slices up to which the best composition of largest losses is computed


# ----------------------------------------------------------------------------------- one variant in another


def variants(claim: Claim) -> Iterator[ClaimVerdict]:
    """Yield whether the figures stated are those of the variant that is named."""
    if claim.variant in (None, "other") or not (claim.stated() or claim.parts):
        return
    needs = {"pure": ("epsilon",), "approximate": ("epsilon", "delta"), "zcdp": ("rho",), "gdp": ("mu",)}
    asked = needs[str(claim.variant)]
    missing = tuple(name for name in asked if getattr(claim, name) is None and together(claim, name) is None)
    contradictory = claim.variant == "pure" and any(
        text is not None and exact(text) > 0 for text in (claim.delta, claim.rho, claim.mu)
    )
    figures = _figures(claim)
    verdict = "differs" if contradictory else "not_determined" if missing else "agrees"
    hints = (Reason(key="not_pure"),) if contradictory else ()
    yield about("variant", "", str(claim.variant), verdict=verdict, figures=figures, missing=missing, hints=hints)


def conversions(claim: Claim) -> Iterator[ClaimVerdict]:
    """Yield whether mu is that of rho, and epsilon that of rho and of mu at the delta stated."""
    if claim.rho is not None and claim.mu is not None:
        derived = between(lambda rho: math.sqrt(2.0 * rho), "µ = √(2·ρ)", rising(claim.rho))
        finding = compared(about("mu", "mu", claim.mu, figures={"ρ": claim.rho}), (derived,))
        less = finding.difference is not None and finding.difference < 0
        yield finding.hinted(Reason(key="less_than_of_rho")) if less else finding
    if claim.epsilon is None:
        return
    conversion = partial(about, "conversion", "epsilon", claim.epsilon)
    if claim.delta is None or not usable(claim.delta):
        if claim.rho is not None:
            yield conversion(figures={"ρ": claim.rho}, missing=("delta",))
        return
    if claim.rho is not None:
        yield _epsilon_of_rho(conversion(figures={"ρ": claim.rho, "δ": claim.delta}), claim, claim.rho, claim.delta)
    if claim.mu is not None:
        finding = conversion(figures={"µ": claim.mu, "δ": claim.delta})
        yield compared(finding, (of_mu(claim.mu, claim.delta),), number(claim.delta))


def _epsilon_of_rho(stated: ClaimVerdict, claim: Claim, rho: str, delta: str) -> ClaimVerdict:
    """Return whether an epsilon is that of RHO at DELTA by the rule named, or of which one it is instead."""
    every, at = by_rules(rising(rho), delta), number(delta)
    finding = compared(stated, tuple(derived for derived in every if claim.rule in (None, derived.rule)), at)
    if finding.verdict == "differs" and claim.rule is not None:
        others = _same(compared(stated, every, at))
        finding = finding.hinted(*(Reason(key="by_rule", values={"rule": derived.rule}) for derived in others))
    if claim.mu is None and [derived.rule for derived in _same(finding)] == ["exact"]:
        finding = finding.hinted(Reason(key="exact_only"))
    return finding


def _same(finding: ClaimVerdict) -> tuple[Derived, ...]:
    """Return what is derived in FINDING and agrees with what is stated."""
    return tuple(derived for derived in finding.derived if derived.agrees)


# ----------------------------------------------------------------------------------------------- sampling


SAMPLED: Mapping[str, Callable[[float, float], float]] = {"epsilon": sampled, "delta": lambda delta, part: part * delta}


def sampling(claim: Claim) -> Iterator[ClaimVerdict]:
    """Yield whether epsilon and delta are those of the parts for units of which only some are drawn.

    A rho or a mu is not determined: it says nothing of a sample without an epsilon and a delta. Source: Balle, Barthe &
    Gaboardi 2018, Theorems 8 and 9.
    """
    if claim.sampling is None:
        return
    for quantity in ("rho", "mu"):
        if (text := getattr(claim, quantity)) is not None:
            figures = {"q": claim.sampling}
            yield about("sampling", quantity, text, figures=figures, missing=("epsilon", "delta"))
    unsampled = claim.model_copy(update={"sampling": None})
    for quantity, formula in (("epsilon", "ε' = ln(1 + q·(e^ε − 1))"), ("delta", "δ' = q·δ")):
        text = getattr(claim, quantity)
        if text is None:
            continue
        before = together(unsampled, quantity)
        if before is None:
            yield about("sampling", quantity, text, figures={"q": claim.sampling}, missing=(quantity,))
            continue
        figures = {"q": claim.sampling, SIGNS[quantity]: repr(real(before))}
        derived = between(partial(SAMPLED[quantity], real(before)), formula, rising(claim.sampling))
        finding = compared(about("sampling", quantity, text, figures=figures), (derived,))
        if quantity == "epsilon" and claim.delta is not None and finding.meaning is not None:
            finding = compared(finding, (derived,), number(claim.delta))
        if finding.verdict == "differs":
            times = exact(claim.sampling) * before
            if quantity == "epsilon" and abs(exact(text) - times) <= slack(text):
                finding = finding.hinted(Reason(key="multiplied"))
            if abs(exact(text) - before) <= slack(text):
                finding = finding.hinted(Reason(key="before_sampling"))
        yield finding


# --------------------------------------------------------------------------------------- many units of one person


def persons(claim: Claim) -> Iterator[ClaimVerdict]:
    """Yield whether the stated loss of one person is that of all their slices, or that it is not determined.

    Slices of time add up. Other units of one person lie in the same figures: rho grows by their square (Bun & Steinke
    2016, Proposition 1.9), mu by their number and delta as that of a group.
    """
    figures = claim.person.stated() if claim.person is not None else {}
    if claim.slices is None:
        if claim.stated() and (claim.slice not in UNDIVIDED or figures):
            yield _without_slices(claim, figures)
        return
    for quantity in ("epsilon", "delta", "rho", "mu"):
        derived = _over_slices(claim, quantity)
        if quantity in figures:
            yield _loss_of_person(claim, quantity, figures, derived)
        elif derived and (quantity == "rho" or (quantity == "epsilon" and not figures)):
            yield _loss_that_follows(claim, quantity, derived)


def _figures(claim: Claim, **first: str) -> dict[str, str]:
    return first | {SIGNS[name]: text for name, text in claim.stated().items()}


def _without_slices(claim: Claim, figures: Mapping[str, str]) -> ClaimVerdict:
    quantity = next((name for name in ("rho", "epsilon", "mu") if getattr(claim, name) is not None), "")
    stated = figures.get(quantity)
    finding = about("person", quantity, stated, figures=_figures(claim), missing=("slices",))
    as_one = claim.slice not in UNDIVIDED and stated is not None and exact(stated) == exact(getattr(claim, quantity))
    return finding.hinted(Reason(key="one_slice")) if as_one else finding


def _loss_of_person(
    claim: Claim, quantity: str, figures: Mapping[str, str], derived: tuple[Derived, ...]
) -> ClaimVerdict:
    """Return whether what a person is FIGURES to lose is what is DERIVED; what is lacking where nothing is."""
    text, of_slice = figures[quantity], getattr(claim, quantity)
    of_person = partial(about, "person", quantity, text, figures=_figures(claim, n=str(claim.slices)))
    if not derived:
        lacking = quantity
        if quantity == "epsilon" and claim.rho is not None:
            lacking = "delta"
        elif quantity == "delta" and claim.delta is not None:
            lacking = "epsilon"
        return of_person(missing=(lacking,))
    at = figures.get("delta") if quantity == "epsilon" else None
    finding = compared(of_person(), derived, number(at) if at else None)
    as_one = of_slice is not None and abs(exact(text) - exact(of_slice)) <= slack(text)
    return finding.hinted(Reason(key="one_slice")) if finding.verdict == "differs" and as_one else finding


def _loss_that_follows(claim: Claim, quantity: str, derived: tuple[Derived, ...]) -> ClaimVerdict:
    """Return what a person loses if it is not stated: the first that is DERIVED."""
    deltas = _over_slices(claim, "delta") if quantity == "epsilon" else ()
    loss = {quantity: derived[0].value} | ({"delta": deltas[0].value} if deltas else {})
    more = {"figures": _figures(claim, n=str(claim.slices)), "meaning": meaning(None, loss)}
    return about("person", quantity, None, verdict="follows", derived=derived[:1], **more)


def _over_slices(claim: Claim, quantity: str) -> tuple[Derived, ...]:
    """Return what all slices of one person come to in QUANTITY by each rule that applies; nothing where none does."""
    return BY_QUANTITY[quantity](claim, claim.slices or 1, claim.slice in OVER_TIME)


def _rhos_of_slices(claim: Claim, slices: int, disjoint: bool) -> tuple[Derived, ...]:
    rho = amount(claim, "rho") if claim.rho is not None or claim.mu is not None else None
    if rho is None:
        return ()
    return (of_exact(rho * slices, "ρ = n·ρ₁") if disjoint else of_exact(rho * slices * slices, "ρ = n²·ρ₁"),)


def _mus_of_slices(claim: Claim, slices: int, disjoint: bool) -> tuple[Derived, ...]:
    if claim.mu is None:
        return ()
    times = math.sqrt(slices) if disjoint else float(slices)
    return (between(lambda mu: times * mu, "µ = √n·µ₁" if disjoint else "µ = n·µ₁", rising(claim.mu)),)


def _deltas_of_slices(claim: Claim, slices: int, disjoint: bool) -> tuple[Derived, ...]:
    if claim.delta is None or claim.rho:
        return ()
    if disjoint:
        return (of_exact(exact(claim.delta) * slices, "δ = n·δ₁"),)
    return () if claim.epsilon is None else (_of_group(claim.epsilon, claim.delta, slices),)


def _epsilons_of_slices(claim: Claim, slices: int, disjoint: bool) -> tuple[Derived, ...]:
    delta = None if claim.person is None else claim.person.delta
    by_rule: list[Derived] = []
    if claim.epsilon is not None and claim.rho is None:
        by_rule.append(of_exact(exact(claim.epsilon) * slices, FORMULAS["basic"], "basic"))
    if delta is None or not usable(delta):
        return tuple(by_rule)
    pure = claim.epsilon is not None and claim.delta is None and claim.rho is None
    rho = amount(claim, "rho")
    if rho is None and claim.epsilon is not None and claim.delta is None:  # no delta is stated: a largest loss
        rho = exact(claim.epsilon) ** 2 / 2
    if rho is not None:
        total = real(rho * (slices if disjoint else slices * slices))
        by_rule += by_rules((total, total, total), delta, RULES if claim.rho is not None else ("cks", "loose"))
    if pure and claim.epsilon is not None and disjoint and slices <= MOST_TIGHT:
        best = float(find("composition.optimal")(epsilon0=number(claim.epsilon), releases=slices, delta=number(delta)))
        low = best * (1 - NEAR)
        by_rule.append(Derived(value=best, low=low, high=best, formula=FORMULAS["optimal"], rule="optimal"))
    return tuple(by_rule)


BY_QUANTITY: Mapping[str, Callable[[Claim, int, bool], tuple[Derived, ...]]] = {
    "epsilon": _epsilons_of_slices,
    "delta": _deltas_of_slices,
    "rho": _rhos_of_slices,
    "mu": _mus_of_slices,
}


def groups(claim: Claim) -> Iterator[ClaimVerdict]:
    """Yield whether the stated loss of a group of units follows from that of one.

    k epsilon; k^2 rho; k mu; delta (1 + e^eps + ...). Source: Dwork & Roth 2014, Theorem 2.2; Bun & Steinke 2016,
    Proposition 1.9; Dong, Roth & Su 2022, Theorem 3.
    """
    if claim.group is None:
        return
    size = claim.group.size
    for quantity, text in claim.group.stated().items():
        of_one_unit = getattr(claim, quantity)
        figures = _figures(claim, k=str(size))
        if of_one_unit is None or (quantity == "delta" and claim.epsilon is None):
            yield about("group", quantity, text, figures=figures, missing=(quantity,))
            continue
        if quantity == "delta":
            derived = _of_group(claim.epsilon or "0", of_one_unit, size)
        else:
            power = 2 if quantity == "rho" else 1
            derived = of_exact(
                exact(of_one_unit) * size**power, f"{SIGNS[quantity]}_k = k{'²' * (power == 2)}·{SIGNS[quantity]}"
            )
        yield compared(about("group", quantity, text, figures=figures), (derived,))


def _of_group(epsilon: str, delta: str, size: int) -> Derived:
    return between(
        lambda e, d: group_delta(e, d, size), "δ_k = δ·(e^(k·ε) − 1)/(e^ε − 1)", rising(epsilon), fixed(delta)
    )


# ----------------------------------------------------------------------------------------- noise and accuracy


def noises(claim: Claim) -> Iterator[ClaimVerdict]:
    """Yield whether the stated noise is as large as the stated loss requires.

    Source: Dwork & Roth 2014, Definition 3.3 (Laplace); Bun & Steinke 2016, Proposition 1.6 (Gaussian).
    """
    noise = claim.noise
    if noise is None or noise.scale is None:
        return
    figures = {"scale": noise.scale}
    bounded = not mechanism_named(noise.kind).needs_delta  # it has a largest loss
    loss = claim.epsilon if bounded else claim.rho
    square = _squared(noise)
    if noise.sensitivity_squared is not None:
        figures["Δ²"] = noise.sensitivity_squared
    elif noise.sensitivity is not None:
        figures["Δ"] = noise.sensitivity
    if loss is None or square is None or not exact(loss):
        missing = ("epsilon" if bounded else "rho",) if loss is None else ("sensitivity",)
        yield about("noise", "sd", noise.scale, figures=figures, missing=missing)
        return
    figures["ε" if bounded else "ρ"] = loss
    value, low, high = rising(loss)
    turned = (value, high, low)  # the noise falls as the loss rises
    if bounded:
        derived = between(lambda s, e: math.sqrt(s) / e, "b = Δ₁/ε", square, turned)
    else:
        derived = between(lambda s, r: math.sqrt(s / (2.0 * r)), "σ = Δ₂/√(2·ρ)", square, turned)
    yield compared(about("noise", "sd", noise.scale, figures=figures), (derived,))


def _squared(noise: NoiseClaim) -> tuple[float, float, float] | None:
    """Return the square of the sensitivity, and its ends; None where neither is stated."""
    if noise.sensitivity_squared is not None:
        return rising(noise.sensitivity_squared)
    if noise.sensitivity is None:
        return None
    value, low, high = rising(noise.sensitivity)
    return value * value, low * low, high * high


def margins(claim: Claim) -> Iterator[ClaimVerdict]:
    """Yield whether rho is the least that keeps the margin of error: sd = m/z, and rho = sensitivity^2/(2 sd^2)."""
    margin = claim.margin
    if margin is None:
        return
    figures = {"m": margin.half_width, "z": margin.z, "Δ²": margin.sensitivity_squared}
    if not exact(margin.half_width) or claim.rho is None:
        yield about("margin", "rho", claim.rho, figures=figures, missing=("rho",))
        return
    least = exact(margin.sensitivity_squared) * exact(margin.z) ** 2 / (2 * exact(margin.half_width) ** 2)
    yield compared(about("margin", "rho", claim.rho, figures=figures), (of_exact(least, "ρ = Δ²·z²/(2·m²)"),))


def repeats(claim: Claim) -> Iterator[ClaimVerdict]:
    """Yield whether what is stated in several places is the same in all of them."""
    for repeated in claim.repeated:
        first, *others = (exact(text) for text in repeated.values)
        same = all(other == first for other in others)
        yield about(
            "repeated",
            stated=repeated.values[0],
            name=repeated.name,
            verdict="agrees" if same else "differs",
            figures={f"#{at + 1}": text for at, text in enumerate(repeated.values)},
            difference=None if same else real(first - next(other for other in others if other != first)),
        )
