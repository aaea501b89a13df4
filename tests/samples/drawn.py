"""Decisions drawn at random from the JSON Schema of their format: well-formed, of every kind, mostly of no sense."""

from __future__ import annotations

import functools
import random
from typing import Any

from pydantic import TypeAdapter

from dpwizard.decision import Decision

DEEPEST = 12
WORDS = (
    *("", "a", "Größe", "数", "é\u0301", "x" * 90, "two words", "‮right to left", "0"),
    *("null", "{}", "\u0000", "😀", "$.a[0]", "<b>"),
)
NUMBERS = (0.0, 1.0, 0.5, 0.1, 1e-300, 5e-324, 1e300, 1e6, 3.0, 2.5, -1.0, 1e-9, 0.999999999)


@functools.cache
def decision_schema() -> dict[str, Any]:
    return TypeAdapter(Decision).json_schema()


def draw(dice: random.Random, fullness: float = 0.4) -> dict[str, Any]:
    """Return a decision drawn with DICE; FULLNESS is how many of the optional fields are filled in."""
    drawn = _draw(decision_schema(), dice, fullness, 0)
    assert isinstance(drawn, dict)
    return drawn


def _draw(rule: dict[str, Any], dice: random.Random, fullness: float, depth: int) -> Any:
    if "$ref" in rule:
        return _draw(decision_schema()["$defs"][rule["$ref"].rpartition("/")[2]], dice, fullness, depth)
    if "const" in rule:
        return rule["const"]
    if "enum" in rule:
        return dice.choice(rule["enum"])
    options = rule.get("oneOf") or rule.get("anyOf")
    if options:
        wanted = [option for option in options if option.get("type") != "null"]
        return _draw(dice.choice(wanted or options), dice, fullness, depth)
    kind = rule.get("type")
    if kind == "object":
        return _object(rule, dice, fullness, depth)
    if kind == "array":
        return _array(rule, dice, fullness, depth)
    if kind in ("number", "integer"):
        return _number(rule, dice)
    if kind == "boolean":
        return dice.random() < 0.5
    if kind == "string":
        return "".join(dice.choice("0123456789abcdef") for _ in range(64)) if "pattern" in rule else dice.choice(WORDS)
    return None


def _object(rule: dict[str, Any], dice: random.Random, fullness: float, depth: int) -> dict[str, Any]:
    if "properties" not in rule:
        values = rule.get("additionalProperties") or {}
        return {f"k{n}": _draw(values, dice, fullness, depth + 1) for n in range(dice.randint(1, 3))}
    share = 0.0 if depth > DEEPEST else fullness
    return {
        name: _draw(field, dice, fullness, depth + 1)
        for name, field in rule["properties"].items()
        if name in rule.get("required", ()) or dice.random() < share
    }


def _array(rule: dict[str, Any], dice: random.Random, fullness: float, depth: int) -> list[Any]:
    if "prefixItems" in rule:
        return sorted((_draw(item, dice, fullness, depth + 1) for item in rule["prefixItems"]), key=repr)
    least, most = rule.get("minItems", 0), rule.get("maxItems", 4)
    count = dice.randint(least, max(least, min(most, least + (2 if depth > 2 else 4))))
    return [_draw(rule.get("items", {}), dice, fullness, depth + 1) for _ in range(count)]


def _number(rule: dict[str, Any], dice: random.Random) -> float | int:
    low = rule.get("minimum", rule.get("exclusiveMinimum", 1 if rule["type"] == "integer" else -1e3))
    high = rule.get("maximum", rule.get("exclusiveMaximum", 1e3))
    if rule["type"] == "integer":
        return dice.randint(int(low), int(min(high, low + 40)))
    fitting = [number for number in NUMBERS if low < number < high]
    return dice.choice(fitting) if fitting and dice.random() < 0.5 else dice.uniform(low, high)
