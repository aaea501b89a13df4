"""Numbers as an officer types and reads them, in the language of the window: 0.25 in English, 0,25 in German.

What could mean two numbers is none: where the comma is the decimal sign, 1.000 may be a thousand or one, and the field
asks which. Nothing here checks a range; the model does.
"""

from __future__ import annotations

from decimal import Decimal

from dpwizard.wording import ChanceField, chance, percent, readings, word
from ui.widgets import tr

SAME, MOST_ODDS = 1e-6, 1e15  # relative; beyond so many, chances are not counted out
LONGEST_PLAIN = 12  # characters of a small number that is written out, without a power of ten
LEAST_COUNTED = 0.001  # a smaller chance is counted out of more than 100


def parsed(text: str) -> float | None:
    """Return the number TEXT says; None if it says none, or could mean two."""
    numbers = _read(text)
    return numbers[0] if len(numbers) == 1 else None


def chance_in_words(value: float) -> str:
    """Return a chance as a count out of 100 to all its digits, and 1 in so many if it is that: "5 in 100, 1 in 20"."""
    counted = f"{written(100 * value)} {tr('in 100')}"
    if value <= 0 or value >= 1:
        return counted
    odds = 1 / value
    if abs(odds - round(odds)) >= SAME * odds or odds >= MOST_ODDS:
        return counted
    if value < LEAST_COUNTED:
        return chance(value)
    return counted if counted == chance(value) else f"{counted}, {chance(value)}"


def chance_problem(typed: str, field: ChanceField) -> str:
    """Return why what was TYPED into a field for a chance is none there, and what to type; empty if it is one."""
    chances, example = field.readings(typed), f"{field.written(0.05)}, {percent(0.05)}"
    if not chances:
        return tr("“{text}” is not a chance. Enter one like {example}, 5 in 100 or 1/20.", text=typed, example=example)
    if len(chances) > 1:
        low, high = chances[0], chances[-1]
        return tr(
            "“{text}” can mean {low} or {high}. Enter {first} or {second}.",
            text=typed,
            low=_counted(low),
            high=_counted(high),
            first=percent(low),
            second=percent(high),
        )
    if chances[0] > field.most:
        return tr(
            "{text} is more than certainty. Enter a chance like {example}, 5 in 100 or 1/20.",
            text=typed,
            example=example,
        )
    return ""


def _counted(value: float) -> str:
    return tr("{count} in 100", count=percent(value).removesuffix(" %"))


def doubt(text: str) -> str:
    """Return, of a TEXT that could mean two numbers, how to say which; an empty text of any other."""
    numbers = _read(text)
    if len(numbers) < 2:
        return ""
    low, high = (written(number) for number in sorted(numbers))
    return tr("“{text}” is ambiguous. Enter {low} or {high}.", text=text.strip(), low=low, high=high)


def not_a_number(text: str) -> str:
    """Return why TEXT is no number that can be used: that it says none, or could mean two."""
    return doubt(text) or tr("“{text}” is not a number. Enter one like {example}.", text=text, example=written(0.1))


def written(number: float) -> str:
    """Return NUMBER in the window's language, as short as is exact to fifteen digits, without marks between thousands.

    A small number is written out as people write it, 0.0000833333, as long as that is short.
    """
    text = f"{number:.15g}"
    if "e-" in text and len(plain := f"{Decimal(text):f}") <= LONGEST_PLAIN:
        text = plain
    return text.replace(".", word("number", "decimal"))


def _read(text: str) -> tuple[float, ...]:
    """Return every number that TEXT can mean, each once."""
    return readings(text, word("number", "decimal"))
