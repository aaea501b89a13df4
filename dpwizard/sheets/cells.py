"""Cells: reading and writing the fields of a table as text, by their declarations, in every language."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Literal

from dpwizard.base.errors import DPWizardError, InvalidInput
from dpwizard.base.fractional import exactly
from dpwizard.base.language import LANGUAGES, digits, phrase, speaking, spoken
from dpwizard.base.messages import message
from dpwizard.base.numerics import decimal as as_decimal
from dpwizard.base.value_errors import quoted_value
from dpwizard.base.values import annotated, declared, hints, read
from dpwizard.decision import Part
from dpwizard.wording import known_word, readings, word

Mark = Literal[".", ",", "either"]
FRACTION = re.compile(r"(.+?)\s*[/∕⁄]\s*(.+)")
BETWEEN_NAMES = re.compile(r"\s*[;*×]\s*|\s*,\s+|,")
# the first columns
FIRST = ("name", "share", "dimension", "sensitivity", "mechanism", "statistic", "level", "year")
LONGEST_FRACTION = 12  # characters shown in a cell
SUMS = "adds_up_to"  # the column of sums
LEAST_WORD = 3  # letters of the shortest abbreviation of a word
FRACTIONS = ("fraction", "fraction_of_all")  # editors of exact fractions; the latter accepts 50 % as 1/2


class Column:
    """A column of a sheet: one field of each table."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.editor = hints(Part, name).editor
        self.field = declared(Part, name)
        options = self.field.get("anyOf", [self.field])
        self.types = {option.get("type") for option in options}
        self.default = Part.model_fields[name].default
        self._type = annotated(Part, name)
        self._reads = self._reader()

    @property
    def label(self) -> str:
        """Return the heading of the column in the current language."""
        return phrase("label", self.field["title"])

    @property
    def help(self) -> str:
        """Return the help text of the field in the current language; "" if there is none."""
        return phrase("label", self.field["description"]) if self.field["description"] else ""

    @property
    def keys(self) -> tuple[str, ...]:
        """Return the choices of the field, if it has any."""
        return tuple(self.field.get("enum", ())) or (("true", "false") if "boolean" in self.types else ())

    @property
    def numeric(self) -> bool:
        """Return whether the column holds numbers, which are right-aligned."""
        return self.editor in FRACTIONS or bool(self.types & {"number", "integer"})

    def words(self, key: str) -> str:
        """Return the word for KEY, one of `keys`, in the current language."""
        if "boolean" in self.types:
            return word("cell", key)
        text = known_word(self.name, key) or key
        return text[:1].upper() + text[1:]

    # ------------------------------------------------------------------------------------- reading

    def read(self, text: str, mark: Mark | None = None) -> Any:
        """Return the value of TEXT; the field's default if it is blank.

        Arguments: text, typed or from a spreadsheet; mark, the decimal sign of its numbers, as for `meant`: an
        ambiguous number is refused.
        Raises InvalidInput naming the allowed values.
        """
        plain = " ".join(text.split())
        if not plain:
            return self.default
        return self.checked(self._reads(plain, mark))

    def checked(self, raw: Any) -> Any:
        """Return RAW as a valid value of the field. Raises InvalidInput naming the allowed values."""
        return read(self._type, raw, self.name)

    def _reader(self) -> Callable[[str, Mark | None], Any]:
        if self.keys:
            return self._key
        if self.editor in FRACTIONS:
            return self._fraction
        if self.types & {"number", "integer"}:
            return self._number
        if self.editor == "effects":
            return self._effects
        if self.name == SUMS:
            return self._sums
        if self.editor == "other_tables":
            return lambda text, _: tuple(filter(None, map(str.strip, text.split(";"))))
        return self._names if "array" in self.types else lambda text, _: text

    def _number(self, text: str, mark: Mark | None) -> Any:
        numbers = meant(text, mark)
        whole = "integer" in self.types
        if whole and mark is not None and mark in text:
            numbers = meant(text, "either")  # a whole number has no decimals: 1,000 is ambiguous
        if len(numbers) > 1:
            low, high = min(numbers), max(numbers)
            two = message(
                "can mean two numbers: {low:.15g} or {high:.15g}; found {found}", low=low, high=high, found=text
            )
            raise InvalidInput(two, self.name, "Write it without thousands separators.")
        if not numbers:
            return text  # validation refuses it
        return int(numbers[0]) if whole and numbers[0].is_integer() else numbers[0]

    def _fraction(self, text: str, mark: Mark | None) -> Any:
        parts = FRACTION.fullmatch(text)
        if parts is not None:
            above, below = (self._number(part, mark) for part in parts.groups())
            whole = all(isinstance(part, float) and part.is_integer() for part in (above, below))
            return f"{int(above)}/{int(below)}" if whole else text
        if text.endswith("%") and self.editor == "fraction_of_all":
            share = self._number(text[:-1].strip(), mark)
            return as_written(as_decimal(share) / 100) if isinstance(share, float) and share >= 0 else text
        return self._number(text, mark)

    def _key(self, text: str, mark: Mark | None) -> Any:
        sentence, known = _folded(text), _named(self.name)
        key = known.get(sentence)
        for fits in (str.startswith, lambda words, text: f" {text} " in f" {words} "):  # of whole words
            keys = {key for words, key in known.items() if len(sentence) >= LEAST_WORD and fits(words, sentence)}
            key = keys.pop() if key is None and len(keys) == 1 else key
        if key is None:
            choices = message("must be one of {choices}", choices=_choices(self.name, spoken()))
            raise InvalidInput(
                message("{message}; found {found}", message=choices, found=quoted_value(text)),
                self.name,
                "Choose one of these.",
            )
        return key == "true" if "boolean" in self.types else key

    def _names(self, text: str, _: Mark | None) -> Any:
        if _folded(text) in _words_in_every_language("none"):
            return ()
        parts = text.split(";") if ";" in text else BETWEEN_NAMES.split(text)
        return tuple(dict.fromkeys(filter(None, (part.strip() for part in parts))))

    def _effects(self, text: str, mark: Mark | None) -> Any:
        pairs: dict[str, Any] = {}
        for part in filter(None, map(str.strip, text.split(";"))):
            name, _, number = part.rpartition(":")
            if not name.strip() or name.strip() in pairs:
                raise InvalidInput(
                    message(
                        "must name every attribute once, as in {example}; found {found}",
                        example="age: 1; income: 2",
                        found=quoted_value(text),
                    ),
                    self.name,
                    "Enter a value of that type.",
                )
            pairs[name.strip()] = self._number(number.strip(), mark)
        return pairs

    def _sums(self, text: str, mark: Mark | None) -> Any:
        sums = []
        for part in filter(None, map(str.strip, text.split(";"))):
            name, _, counts = part.rpartition(":")
            children = [self._number(count, mark) for count in counts.split()]
            whole = [int(count) if isinstance(count, float) and count.is_integer() else count for count in children]
            if not name.strip() or not whole:
                problem = message(
                    "must name a table and how many numbers each of its sums has, as in {example}; found {found}",
                    example="regions: 5; sexes: 10 12",
                    found=quoted_value(text),
                )
                raise InvalidInput(problem, self.name, "Enter a value of that type.")
            sums.append({"part": name.strip(), "children": whole[0] if len(whole) == 1 else whole})
        return sums

    # ------------------------------------------------------------------------------------- writing

    def written(self, value: Any) -> str:
        """Return VALUE as the text of a cell in the current language, without loss: reading it gives the same value."""
        if value is None or (value == self.default and not isinstance(value, int | float)):
            return ""
        if self.keys:
            return self.words(str(value).lower() if isinstance(value, bool) else value)
        if self.editor == "effects":
            return "; ".join(f"{name}: {_digits(number)}" for name, number in value)
        if self.name == SUMS:
            return "; ".join(f"{each.part}: {' '.join(map(str, each.counts))}" for each in value)
        if "array" in self.types:
            return _listed(value) if value else word("cell", "none")
        return _digits(value) if isinstance(value, int | float) else str(value)

    def short(self, value: Any) -> str:
        """Return VALUE shortened for display: numbers and long fractions to six digits."""
        if self.editor in FRACTIONS and isinstance(value, str) and len(value) > LONGEST_FRACTION:
            return f"≈ {self.short(float(exactly(value)))}"
        return self.written(float(f"{value:.6g}") if isinstance(value, float) else value)


@functools.cache
def columns() -> tuple[Column, ...]:
    """Return every column: those in FIRST, then the other fields of a table in order of declaration."""
    rest = [name for name in Part.model_fields if name not in FIRST]
    return tuple(Column(name) for name in (*FIRST, *rest))


def column(name: str) -> Column:
    """Return the column of field NAME."""
    return next(each for each in columns() if each.name == name)


def meant(text: str, mark: Mark | None) -> tuple[float, ...]:
    """Return every number that TEXT can mean.

    Arguments: text; mark, the decimal sign; "either" if it is unknown; None for that of the current language, as
    typed. A text that is not a number with this sign is read with the other one.
    """
    if mark == "either":
        return tuple(dict.fromkeys((*readings(text, "."), *readings(text, ",", strict=True))))
    decimal_mark = mark or word("number", "decimal")
    return readings(text, decimal_mark, strict=mark is not None) or readings(
        text, "." if decimal_mark == "," else ",", strict=True
    )


def as_written(exact: Fraction) -> float | str:
    """Return EXACT as files have it: a number if that is exact, else a fraction."""
    try:
        number = float(exact)
    except OverflowError:
        return f"{exact.numerator}/{exact.denominator}"
    return number if exactly(number) == exact else f"{exact.numerator}/{exact.denominator}"


def problem_in_words(problem: DPWizardError) -> str:
    """Return an error in one or two sentences, in the current language."""
    return f"{problem.text[:1].upper()}{problem.text[1:]}. {problem.remedy}".strip()


def _listed(names: tuple[str, ...]) -> str:
    """Return NAMES separated by semicolons; a single one that could be read as several has one at its end."""
    single = len(names) == 1 and BETWEEN_NAMES.search(names[0]) is not None
    return f"{names[0]};" if single else "; ".join(names)


def _digits(number: float) -> str:
    return digits(repr(number).removesuffix(".0"))


def _folded(text: str) -> str:
    """Return TEXT for comparisons: in lower case, with spaces for punctuation."""
    return " ".join(re.sub(r"[\W_]+", " ", text.casefold()).split())


@functools.cache
def _named(name: str) -> dict[str, str]:
    """Return the keys of field NAME by their words in every language, and by themselves."""
    field = column(name)
    keys: dict[str, str] = {}
    for language in LANGUAGES:
        with speaking(language):
            keys |= {_folded(field.words(key)): key for key in field.keys}
    return keys | {_folded(key): key for key in field.keys}


@functools.cache
def _choices(name: str, language: str) -> str:
    with speaking(language):
        return "; ".join(column(name).words(key) for key in column(name).keys)


@functools.cache
def _words_in_every_language(key: str) -> frozenset[str]:
    return frozenset(_folded(word("cell", key, language)) for language in LANGUAGES)
