"""Faults as people make them, put into copies of claims by a die: each returns whether it found a place."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from dpwizard.examination.printed import exact

Claim = dict[str, Any]
Fault = Callable[[Claim, random.Random], bool]
LOSSES = ("epsilon", "rho", "mu")


def nodes(claim: Claim) -> Iterator[Claim]:
    yield claim
    for part in claim.get("parts", ()):
        yield from nodes(part)


def _pick(claim: Claim, dice: random.Random, wanted: Callable[[Claim], bool]) -> Claim | None:
    found = [node for node in nodes(claim) if wanted(node)]
    return dice.choice(found) if found else None


def _loss(node: Claim) -> str:
    return next((name for name in LOSSES if name in node), "")


def _text(value: Fraction) -> str:
    return f"{float(value):.6g}"


def _scaled(by: Fraction) -> Fault:
    def fault(claim: Claim, dice: random.Random) -> bool:
        node = _pick(claim, dice, lambda one: bool(one.get("parts")) and bool(_loss(one)))
        if node is None:
            return False
        node[_loss(node)] = _text(exact(node[_loss(node)]) * by)
        return True

    return fault


def part_dropped(claim: Claim, dice: random.Random) -> bool:
    node = _pick(
        claim,
        dice,
        lambda one: bool(_loss(one)) and len(one.get("parts", ())) > 1 and one.get("composition") != "parallel",
    )
    if node is None:
        return False
    node["parts"].remove(dice.choice(node["parts"]))
    return True


def part_twice(claim: Claim, dice: random.Random) -> bool:
    node = _pick(
        claim,
        dice,
        lambda one: bool(_loss(one)) and bool(one.get("parts")) and one.get("composition") != "parallel",
    )
    if node is None:
        return False
    node["parts"].append(dict(dice.choice(node["parts"])))
    return True


def digits_exchanged(claim: Claim, dice: random.Random) -> bool:
    places = [(node, name) for node in nodes(claim) for name in LOSSES if name in node]
    dice.shuffle(places)
    for node, name in places:
        text = node[name]
        pairs = [
            at
            for at in range(len(text) - 1)
            if text[at].isdigit() and text[at + 1].isdigit() and text[at] != text[at + 1] and "e" not in text[:at]
        ]
        if pairs:
            at = dice.choice(pairs)
            node[name] = text[:at] + text[at + 1] + text[at] + text[at + 2 :]
            return True
    return False


def point_moved(claim: Claim, dice: random.Random) -> bool:
    node = _pick(claim, dice, lambda one: bool(_loss(one)))
    if node is None:
        return False
    node[_loss(node)] = _text(exact(node[_loss(node)]) * dice.choice((10, Fraction(1, 10))))
    return True


def rule_renamed(claim: Claim, dice: random.Random) -> bool:
    node = _pick(claim, dice, lambda one: "rule" in one)
    if node is None:
        return False
    node["rule"] = dice.choice([rule for rule in ("exact", "cks", "loose") if rule != node["rule"]])
    return True


def delta_swapped(claim: Claim, dice: random.Random) -> bool:
    node = _pick(claim, dice, lambda one: "delta" in one)
    if node is None:
        return False
    node["delta"] = dice.choice([text for text in ("1e-5", "1e-7", "1e-12") if exact(text) != exact(node["delta"])])
    return True


def day_for_person(claim: Claim, dice: random.Random) -> bool:
    node = _pick(claim, dice, lambda one: "person" in one)
    if node is None:
        return False
    node["person"] = {name: node[name] for name in node["person"]}
    return True


def slices_miscounted(claim: Claim, dice: random.Random) -> bool:
    node = _pick(claim, dice, lambda one: "person" in one)
    if node is None:
        return False
    node["slices"] = str(int(node["slices"]) + dice.choice((-1, 1, 30)))
    return True


def called_parallel(claim: Claim, dice: random.Random) -> bool:
    node = _pick(claim, dice, lambda one: bool(_loss(one)) and len(one.get("parts", ())) > 1)
    if node is None:
        return False
    node["composition"] = "sequential" if node.get("composition") == "parallel" else "parallel"
    return True


def times_forgotten(claim: Claim, dice: random.Random) -> bool:
    node = _pick(claim, dice, lambda one: "times" in one)
    if node is None:
        return False
    del node["times"]
    return True


def loss_times_fraction(claim: Claim, dice: random.Random) -> bool:
    node = _pick(claim, dice, lambda one: "sampling" in one)
    if node is None:
        return False
    node["epsilon"] = _text(exact(node["sampling"]) * exact(node["parts"][0]["epsilon"]))
    return True


def delta_before_sampling(claim: Claim, dice: random.Random) -> bool:
    node = _pick(claim, dice, lambda one: "sampling" in one)
    if node is None:
        return False
    node["delta"] = node["parts"][0]["delta"]
    return True


def fraction_doubled(claim: Claim, dice: random.Random) -> bool:
    node = _pick(claim, dice, lambda one: "sampling" in one)
    if node is None:
        return False
    node["sampling"] = _text(exact(node["sampling"]) * 2)
    return True


def factor_changed(claim: Claim, dice: random.Random) -> bool:
    node = _pick(claim, dice, lambda one: "factor" in one)
    if node is None:
        return False
    node["factor"] = dice.choice([factor for factor in ("1", "2", "4") if factor != node["factor"]])
    return True


def variance_as_scale(claim: Claim, dice: random.Random) -> bool:
    node = _pick(claim, dice, lambda one: "noise" in one)
    if node is None:
        return False
    node["noise"]["scale"] = _text(exact(node["noise"]["scale"]) ** 2)
    return True


def sensitivity_not_squared(claim: Claim, dice: random.Random) -> bool:
    node = _pick(claim, dice, lambda one: "noise" in one or "margin" in one)
    if node is None:
        return False
    held = node.get("noise") or node["margin"]
    name = "sensitivity_squared" if "sensitivity_squared" in held else "sensitivity"
    held[name] = f"{math.sqrt(float(exact(held[name]))):.4f}"
    return True


def margin_widened(claim: Claim, dice: random.Random) -> bool:
    node = _pick(claim, dice, lambda one: "margin" in one)
    if node is None:
        return False
    node["margin"]["half_width"] = _text(exact(node["margin"]["half_width"]) * 2)
    return True


def group_counted_once(claim: Claim, dice: random.Random) -> bool:
    node = _pick(claim, dice, lambda one: "group" in one)
    if node is None:
        return False
    name = dice.choice([name for name in ("epsilon", "delta", "rho") if name in node["group"]])
    size = 1 if name == "epsilon" else int(node["group"]["size"])
    node["group"][name] = _text(exact(node[name]) * size)
    return name != "delta" or size > 2


def variant_renamed(claim: Claim, dice: random.Random) -> bool:
    node = _pick(claim, dice, lambda one: one.get("variant") in ("zcdp", "approximate"))
    if node is None:
        return False
    node["variant"] = "pure"
    return True


def stated_otherwise(claim: Claim, dice: random.Random) -> bool:
    node = _pick(claim, dice, lambda one: "repeated" in one)
    if node is None:
        return False
    values = dice.choice(node["repeated"])["values"]
    values[-1] = _text(exact(values[-1]) + dice.choice((1, 50, 1000)))
    return True


def mu_for_rho(claim: Claim, dice: random.Random) -> bool:
    node = _pick(claim, dice, lambda one: "mu" in one)
    if node is None:
        return False
    node["mu"] = node["rho"]
    return True


def epsilon_for_rho(claim: Claim, dice: random.Random) -> bool:
    node = _pick(claim, dice, lambda one: "epsilon" in one and "rho" in one)
    if node is None:
        return False
    node["epsilon"], node["rho"] = node["rho"], node["epsilon"]
    return True


FAULTS: MappingProxyType[str, Fault] = MappingProxyType(
    {
        "a total doubled": _scaled(Fraction(2)),
        "a total halved": _scaled(Fraction(1, 2)),
        "a part dropped": part_dropped,
        "a part counted twice": part_twice,
        "two digits exchanged": digits_exchanged,
        "a decimal point moved": point_moved,
        "a rule called another": rule_renamed,
        "another delta": delta_swapped,
        "a day for a person": day_for_person,
        "slices miscounted": slices_miscounted,
        "one composition called the other": called_parallel,
        "a multiple forgotten": times_forgotten,
        "the loss times the part sampled": loss_times_fraction,
        "delta of before sampling": delta_before_sampling,
        "the part sampled doubled": fraction_doubled,
        "another factor of neighbours": factor_changed,
        "a variance for a deviation": variance_as_scale,
        "the root of a sensitivity": sensitivity_not_squared,
        "a margin twice as wide": margin_widened,
        "a group counted as one": group_counted_once,
        "called pure": variant_renamed,
        "stated otherwise elsewhere": stated_otherwise,
        "rho stated as mu": mu_for_rho,
        "epsilon and rho exchanged": epsilon_for_rho,
    }
)
