"""The second opinion itself: every statement of a claim and of all its parts, and what they say beside one another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain

from dpwizard.decision import Reason
from dpwizard.examination.arithmetic import by_rules, meaning, of_exact, rising, usable
from dpwizard.examination.checks import conversions, groups, margins, noises, persons, repeats, sampling, variants
from dpwizard.examination.claim import Claim
from dpwizard.examination.finding import ClaimVerdict
from dpwizard.examination.printed import exact, number
from dpwizard.examination.sums import SIGNS, about, sums

CHECKS: tuple[Callable[[Claim], Iterator[ClaimVerdict]], ...] = (
    variants,
    sums,
    sampling,
    conversions,
    persons,
    groups,
    noises,
    margins,
    repeats,
)


def examine_claim(claim: Claim, where: str = "$") -> tuple[ClaimVerdict, ...]:
    """Return what each statement of CLAIM comes to, those of its parts after its own.

    Arguments: claim, as read. None of its figures is believed: each is held against the others. A statement that the
    others do not determine says what is missing. **A difference below 0 claims less than is lost.** Raises nothing.
    """
    findings = [
        _placed(finding, place, part)
        for place, part in claim.each(where)
        for check in CHECKS
        for finding in check(part)
    ]
    of_all = (_same_rule(claim, where, findings), _same_factor(findings), _counted_twice(claim), _follows(claim))
    return (*findings, *(_placed(finding, where, claim) for finding in chain.from_iterable(of_all)))


def _placed(finding: ClaimVerdict, where: str, claim: Claim) -> ClaimVerdict:
    return replace(finding, where=where, name=finding.name or claim.name or "")


def _follows(claim: Claim) -> Iterator[ClaimVerdict]:
    """Yield what the loss stated means for one person, and as epsilon where only rho is stated with a delta."""
    stated = claim.stated()
    if claim.rho is not None and claim.epsilon is None and claim.delta is not None and usable(claim.delta):
        derived = by_rules(rising(claim.rho), claim.delta)
        of_one = meaning(None, {"rho": number(claim.rho)})
        figures = {"ρ": claim.rho, "δ": claim.delta}
        yield about("conversion", "epsilon", verdict="follows", derived=derived, figures=figures, meaning=of_one)
    quantity = next((one for one in ("rho", "mu", "epsilon") if one in stated), None)
    if quantity is None:
        return
    loss: dict[str, float] = {quantity: number(stated[quantity])}
    if quantity == "epsilon" and claim.delta is not None:
        loss["delta"] = number(claim.delta)
    figures = {SIGNS[one]: stated[one] for one in loss}
    yield about("means", quantity, verdict="follows", figures=figures, meaning=meaning(None, loss))


# ------------------------------------------------------------------------------------ statements beside each other


def _same_rule(claim: Claim, where: str, findings: list[ClaimVerdict]) -> Iterator[ClaimVerdict]:
    """Yield whether one rule turns every rho of the claim into its epsilon, where no rule is named."""
    free = {place for place, part in claim.each(where) if part.rule is None}
    agreeing = (each for each in findings if each.statement == "conversion" and each.verdict == "agrees")
    conversions = [each for each in agreeing if len(each.derived) > 1 and each.where in free]
    if len(conversions) < 2:
        return
    rules = [frozenset(derived.rule for derived in each.derived if derived.agrees) for each in conversions]
    common = frozenset.intersection(*rules)
    figures = {row.name or row.where: ", ".join(sorted(each)) for row, each in zip(conversions, rules, strict=True)}
    verdict = "agrees" if common else "differs"
    yield about("same_rule", stated="", verdict=verdict, figures=figures)


def _same_factor(findings: list[ClaimVerdict]) -> Iterator[ClaimVerdict]:
    """Yield that totals of one claim are different multiples of their parts, and none says why."""
    factors = {
        each.name or each.where: hint.values["times"]
        for each in findings
        for hint in each.hints
        if hint.key == "times_neighbours"
    }
    if len(set(factors.values())) > 1:
        figures = {name: f"× {times:g}" for name, times in factors.items()}
        yield about("same_factor", stated="", verdict="differs", figures=figures)


def _counted_twice(claim: Claim) -> Iterator[ClaimVerdict]:
    """Yield that a part is counted by the whole and, as what was published apart, in the total of another part."""
    names = {part.name: part for part in claim.parts if part.name}
    for _, part in claim.each():
        for finding in sums(part) if part.apart else ():
            for hint in finding.hints:
                twice = names.get(str(hint.values.get("name"))) if hint.key == "includes_apart" else None
                total = getattr(claim, finding.quantity)
                if twice is None or total is None or twice is part:
                    continue
                taken = str(hint.values["amount"])
                less = exact(total) - exact(taken)
                derived = of_exact(less, f"{SIGNS[finding.quantity]} = Σ − {taken}")
                yield about(
                    "counted_twice",
                    finding.quantity,
                    total,
                    verdict="differs",
                    derived=(replace(derived, agrees=False),),
                    figures={twice.name or "": taken},
                    difference=number(total) - float(less),
                    hints=(Reason(key="twice", values={**hint.values, "name": twice.name or ""}),),
                )
