"""Where the cases are collected: one line for each call of a function by name and what must come out; imports nothing
of the program.

A case is a call (fn, args), the wanted numbers by field ("" is the value itself) and the rules of comparison:
rel and abs (tolerances), safe ("low": never above, "high": never below), atmost / atleast (better is right too),
bracket [lower field, upper field, value]. "inf" wants unbounded (null), None wants an error with a hint or status
infeasible.
"""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path

import mpmath as mp

mp.mp.dps = 50
FILE = Path(__file__).with_name("cases.jsonl")
TRUTHS = (bool, str)
NO = {"": None}  # what no epsilon can do, or what is no input at all
ENDLESS = {"": "inf"}


def exact(number):
    """The number as the decimal it is written as, with fifty digits; "inf" is infinity."""
    if isinstance(number, mp.mpf):
        return number
    if number == "inf" or number == math.inf:
        return mp.inf
    value = Fraction(repr(number)) if isinstance(number, float) else Fraction(number)
    return mp.mpf(value.numerator) / value.denominator


def root(function, low, high, steps=220):
    """The place where an increasing function crosses zero between low and high, by halving."""
    low, high = mp.mpf(low), mp.mpf(high)
    for _ in range(steps):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) < 0 else (low, middle)
    return (low + high) / 2


def crossing(function, low, high, steps=40):
    """The zero of an increasing function, by false position that halves the weight of an end that stays (Illinois);
    1e-17."""
    low, high, kept = mp.mpf(low), mp.mpf(high), 0
    at_low, at_high = function(low), function(high)
    for _ in range(steps):
        middle = (low * at_high - high * at_low) / (at_high - at_low)
        value = function(middle)
        if abs(value) < mp.mpf(10) ** -19 or abs(high - low) <= abs(high) * mp.mpf(10) ** -18:
            return middle
        if value < 0:
            low, at_low, at_high, kept = middle, value, at_high / 2 if kept < 0 else at_high, -1
        else:
            high, at_high, at_low, kept = middle, value, at_low / 2 if kept > 0 else at_low, 1
    return middle


def _plain(value):
    if value is None or isinstance(value, TRUTHS):
        return value
    number = float(value)
    if math.isinf(number):
        return "inf"
    return value if isinstance(value, int) else number


class Book:
    """The cases of one module, numbered in the order they are made."""

    def __init__(self, letter, module):
        self.letter, self.module, self.lines = letter, module, []

    def add(self, where, name, args, expect, **rules):
        """One case; EXPECT is a number, "inf", None or {field: number}."""
        wanted = expect if isinstance(expect, dict) else {"": expect}
        line = {
            "id": f"{self.letter}{len(self.lines) + 1:03d}",
            "where": where,
            "fn": f"{self.module}.{name}",
            "args": args,
            "expect": {field: _plain(value) for field, value in wanted.items()},
            **rules,
        }
        if "bracket" in line:
            low, high, value = line["bracket"]
            line["bracket"] = [low, high, float(value)]
        self.lines.append(line)

    def refused(self, where, name, *calls):
        """Calls that must be answered by an error with a remedy."""
        for args in calls:
            self.add(where, name, args, None)


def write(books):
    with FILE.open("w", encoding="utf-8") as file:
        for book in books:
            for line in book.lines:
                file.write(json.dumps(line, allow_nan=False) + "\n")
