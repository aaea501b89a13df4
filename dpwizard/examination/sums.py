"""Whether a total is what its parts come to: exact sums, the largest of parts that share nobody, and what would explain
a difference."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from dpwizard.base.numerics import real
from dpwizard.decision import Reason
from dpwizard.examination.arithmetic import RULES, agrees, between, by_rules, meaning, of_exact, of_total, usable
from dpwizard.examination.claim import QUANTITIES, Claim
from dpwizard.examination.finding import ClaimVerdict, Derived, Statement
from dpwizard.examination.printed import exact, half_step, number, slack

SIGNS = {"epsilon": "ε", "delta": "δ", "rho": "ρ", "mu": "µ"}
MOST_MULTIPLE = 12  # a total may be this many times the sum, or such a part of it
FAR = 1e15  # beyond it no digit is looked at
NEIGHBOURS = (2, 4)  # what a changed record may cost in rho, of one added


def about(statement: Statement, quantity: str = "", stated: str | None = None, **more: Any) -> ClaimVerdict:
    """Return a finding on a STATEMENT about a QUANTITY; nothing determines it unless MORE says so."""
    return ClaimVerdict(statement=statement, quantity=quantity, stated=stated, **more)


def amount(claim: Claim, quantity: str) -> Fraction | None:
    """Return what CLAIM states of QUANTITY, or else what its parts come to; None where that is not known.

    mu is given by its square, which adds up. A largest loss, where it is called one, is half its square in rho, and
    mu^2/2 is rho (Bun & Steinke 2016, Propositions 1.4 and 1.6).
    """
    stated = getattr(claim, quantity)
    if stated is not None:
        return exact(stated) ** 2 if quantity == "mu" else exact(stated)
    if quantity == "rho" and claim.mu is not None:
        return exact(claim.mu) ** 2 / 2
    if quantity == "rho" and claim.epsilon is not None and claim.variant == "pure":
        return exact(claim.epsilon) ** 2 / 2
    of_parts = together(claim, quantity)
    if of_parts is None and quantity == "delta" and claim.epsilon is not None:
        return Fraction(0)  # a part with a largest loss, beside others that state a delta
    return of_parts


def together(claim: Claim, quantity: str) -> Fraction | None:
    """Return what the parts of CLAIM come to in QUANTITY, with the factor it states; None where one does not say."""
    if quantity == "delta" and not any(part.delta for _, claim_part in claim.each() for part in claim_part.parts):
        return None  # it is not stated that all have a largest loss
    shares = contributions(claim, quantity)
    if not shares or any(claim_part is None for claim_part in shares) or claim.sampling is not None:
        return None
    amounts = [claim_part for claim_part in shares if claim_part is not None]
    total = max(amounts) if claim.composition == "parallel" else sum(amounts, start=Fraction(0))
    return total * (exact(claim.factor) if claim.factor is not None and quantity != "delta" else 1)


def contributions(claim: Claim, quantity: str) -> list[Fraction | None]:
    """Return what each part of CLAIM adds to QUANTITY, as often as the whole counts it."""
    return [None if (one := amount(part, quantity)) is None else one * part.times for part in claim.parts]


def sums(claim: Claim) -> Iterator[ClaimVerdict]:
    """Yield whether each total that CLAIM states is what its parts come to."""
    if not claim.parts or claim.sampling is not None:
        return
    stated = claim.stated()
    for quantity, text in stated.items():
        if quantity == "delta" and ("rho" in stated or any(part.rho or part.mu for part in claim.parts)):
            continue  # a delta at which rho is said does not add up
        total = together(claim, quantity)
        if total is None:
            if quantity == "epsilon" and (converted := _converted(claim, text)):
                yield converted
            elif not (stated.keys() & {"rho", "mu"} and quantity in ("epsilon", "mu")):
                yield _parts_missing(claim, quantity, text)
            continue
        yield _total_compared(claim, quantity, text, total)


def _total_compared(claim: Claim, quantity: str, text: str, whole: Fraction) -> ClaimVerdict:
    formula = _formula(claim, quantity)
    if quantity == "mu":
        derived = between(lambda square: square**0.5, formula, of_total(whole))
    else:
        derived = of_exact(whole, formula)
    same = agrees(text, derived)
    figures = {**_printed_parts(claim, quantity), **({"f": claim.factor} if claim.factor else {})}
    beside = {"delta": number(claim.delta)} if quantity == "epsilon" and claim.delta is not None else {}
    return about(
        "sum",
        quantity,
        text,
        verdict="agrees" if same else "differs",
        derived=(replace(derived, agrees=same),),
        figures=figures,
        difference=None if same else real(exact(text) - Fraction(derived.value)),
        hints=() if same else (*_explained(claim, quantity, exact(text), whole), *cut_off(text, derived)),
        meaning=meaning({quantity: number(text), **beside}, {quantity: derived.value, **beside}),
    )


def _formula(claim: Claim, quantity: str) -> str:
    sign = SIGNS[quantity]
    factor = "f·" if claim.factor is not None and quantity != "delta" else ""
    if claim.composition == "parallel":
        return f"{sign} = {factor}max(n₁·{sign}₁, n₂·{sign}₂, …)"
    if quantity == "mu":
        return f"µ = √({factor}(n₁·µ₁² + n₂·µ₂² + …))"
    return f"{sign} = {factor}(n₁·{sign}₁ + n₂·{sign}₂ + …)" if factor else f"{sign} = n₁·{sign}₁ + n₂·{sign}₂ + …"


def _printed_parts(claim: Claim, quantity: str) -> dict[str, str]:
    parts = {}
    for at, part in enumerate(claim.parts):
        name = part.name or f"#{at + 1}"
        text = next((f"{SIGNS[q]} {t}" if q != quantity else t for q, t in _ordered(part, quantity)), "Σ")
        parts[name if name not in parts else f"{name} #{at + 1}"] = (
            text if part.times == 1 else f"{part.times} × {text}"
        )
    return parts


def _ordered(part: Claim, quantity: str) -> list[tuple[str, str]]:
    stated = part.stated()
    return sorted(stated.items(), key=lambda item: (item[0] != quantity, QUANTITIES.index(item[0])))


def _converted(claim: Claim, text: str) -> ClaimVerdict | None:
    """Return whether a stated epsilon is what the rho of all parts comes to at the stated delta."""
    rho = together(claim, "rho")
    if rho is None or claim.rho is not None or claim.delta is None or not usable(claim.delta):
        return None
    rules = RULES if claim.rule is None else (claim.rule,)
    figures = {"ρ": str(real(rho)), "δ": claim.delta, **_printed_parts(claim, "rho")}
    stated = about("conversion", "epsilon", text, figures=figures)
    return compared(stated, by_rules(of_total(rho), claim.delta, rules), number(claim.delta))


def compared(finding: ClaimVerdict, by_rule: tuple[Derived, ...], delta: float | None = None) -> ClaimVerdict:
    """Return FINDING, whose statement is held against what follows by each of the rules that could be meant.

    It agrees where one of them gives it; a difference is from the nearest.
    """
    text = finding.stated
    assert text is not None
    checked = tuple(replace(derived, agrees=agrees(text, derived)) for derived in by_rule)
    same = any(derived.agrees for derived in checked)
    nearest = min(checked, key=lambda derived: (not derived.agrees, abs(derived.value - number(text))))
    beside = {} if delta is None else {"delta": delta}
    quantity = finding.quantity
    return replace(
        finding,
        verdict="agrees" if same else "differs",
        derived=(nearest, *(derived for derived in checked if derived is not nearest)),
        difference=None if same else number(text) - nearest.value,
        hints=() if same else cut_off(text, nearest),
        meaning=meaning({quantity: number(text), **beside}, {quantity: nearest.value, **beside}),
    )


def cut_off(text: str, derived: Derived) -> tuple[Reason, ...]:
    """Return that a figure is what DERIVED is without its last digits, if it is: smaller, by less than one unit."""
    step = 2 * min(half_step(text), slack(text))
    below = Fraction(derived.value) - exact(text) if derived.value < FAR else Fraction(-1)
    return (Reason(key="cut_off"),) if 0 < below < step else ()


def _parts_missing(claim: Claim, quantity: str, text: str) -> ClaimVerdict:
    shares = contributions(claim, quantity)
    names = tuple(part.name or f"#{at + 1}" for at, part in enumerate(claim.parts) if shares[at] is None)
    return about("sum", quantity, text, figures=_printed_parts(claim, quantity), missing=names)


def _explained(claim: Claim, quantity: str, stated: Fraction, whole: Fraction) -> Iterator[Reason]:
    """Yield what would explain that a total is STATED where its parts come to WHOLE."""
    off = slack(getattr(claim, quantity))
    for value, reason in _misread(claim, quantity, whole):
        if value > 0 and abs(stated - value) <= off:
            yield reason
            return


def _misread(claim: Claim, quantity: str, whole: Fraction) -> Iterator[tuple[Fraction, Reason]]:
    """Yield what a total would be by each likely mistake, the likeliest first."""
    amounts = [part_apart for part_apart in contributions(claim, quantity) if part_apart is not None]
    for part_apart in claim.apart:
        other = amount(part_apart, quantity)
        if other is not None:
            values = {"name": part_apart.name or "", "amount": real(other)}
            yield whole + other, Reason(key="includes_apart", values=values)
    for part, share in zip(claim.parts, amounts, strict=False):
        values = {"name": part.name or "", "amount": real(share)}
        yield whole - share, Reason(key="left_out", values=values)
        yield whole + share, Reason(key="twice", values=values)
    if claim.composition == "parallel":
        yield sum(amounts, start=Fraction(0)), Reason(key="is_the_sum")
    elif amounts:
        yield max(amounts), Reason(key="is_the_largest")
    for times in range(2, MOST_MULTIPLE + 1):
        neighbours = quantity in ("rho", "epsilon") and times in NEIGHBOURS
        values = {"times": float(times)}
        yield whole * times, Reason(key="times_neighbours" if neighbours else "times", values=values)
        yield whole / times, Reason(key="part_of", values=values)
