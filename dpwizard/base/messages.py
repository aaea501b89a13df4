"""Messages of the model: English templates with the values of their placeholders.

Machines read the English text. For people the template is translated before it is filled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Self

from dpwizard.base.language import ENGLISH, digits, phrase, spoken, translated

CONTEXT = "message"
NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class Quantity:
    """A value in the unit of the field that an error is about; a form may show it in another, 0.05 as 5 in 100."""

    value: float

    def __format__(self, spec: str) -> str:
        return format(self.value, spec)

    def scaled(self, factor: float) -> Quantity:
        """Return the value multiplied by FACTOR, for another unit."""
        value = float(f"{self.value * factor:.15g}")
        return Quantity(int(value) if value.is_integer() and abs(value) < 1e15 else value)


class Message(str):
    """An English sentence that can be translated.

    Values of its placeholders: numbers are formatted for the language, messages are translated, and other texts, such
    as names entered by a user, stay unchanged.
    """

    template: str  # empty: the message is its figures, joined
    plural: str
    figures: Mapping[str, Any]

    def __new__(cls, english: str, template: str = "", plural: str = "", figures: Mapping[str, Any] = NOTHING) -> Self:
        new = super().__new__(cls, english)
        new.template, new.plural, new.figures = template, plural, figures
        return new

    def __reduce__(self) -> tuple[type[Message], tuple[str, str, str, dict[str, Any]]]:
        """Keep the figures when the message is copied or pickled."""
        return Message, (str(self), self.template, self.plural, dict(self.figures))

    def text(self) -> str:
        """Return the sentence in the current language."""
        if spoken() == ENGLISH:
            return str(self)
        if not self.template:
            return "".join(f"{_LocalisedFigure(part)}" for part in self.figures.values()) or str(self)
        translation = phrase(CONTEXT, self.template, self.plural, self.figures.get("count", 1))
        figures = {name: _LocalisedFigure(figure) for name, figure in self.figures.items()}
        return translation.format_map(figures) if figures else translation

    def scaled(self, factor: float) -> Message:
        """Return the sentence with its quantities multiplied by FACTOR, for another unit."""
        if not self.figures:
            return self
        figures: dict[str, Any] = {
            name: figure.scaled(factor) if isinstance(figure, Message | Quantity) else figure
            for name, figure in self.figures.items()
        }
        if not self.template:
            return Message("".join(f"{figure}" for figure in figures.values()), figures=figures)
        return message(self.template, self.plural, **figures)


NO_MESSAGE = Message("")


@dataclass(frozen=True)
class _LocalisedFigure:
    """A figure, formatted for the current language."""

    figure: Any

    def __format__(self, spec: str) -> str:
        if isinstance(self.figure, Message):
            return self.figure.text()
        text = format(self.figure, spec)
        return text if isinstance(self.figure, str) else digits(text)


def message(template: str, plural: str = "", /, **figures: Any) -> Message:
    """Return a sentence with FIGURES in the placeholders of TEMPLATE, or of PLURAL if the figure `count` is not 1.

    Write both as literals: a test collects them from the source, and requires their translations.
    """
    english = plural if plural and figures["count"] != 1 else template
    return Message(english.format_map(figures) if figures else english, template, plural, figures)


def sentence(text: str, /, **figures: Any) -> Message:
    """Return TEXT as a message, with FIGURES in its placeholders; a message is returned unchanged."""
    return text if isinstance(text, Message) else message(text, **figures)


def verbatim(text: str) -> Message:
    """Return TEXT as a message that is never translated: a library's, or one that is translated already."""
    return Message(text)


def quoted(name: str) -> Message:
    """Return a NAME entered by a user in quotation marks; quotation marks inside become apostrophes."""
    return message("“{name}”", name=name.translate(dict.fromkeys(map(ord, '“”„«»"'), "'")))


def joined(parts: Sequence[str], between: str = " ") -> Message:
    """Return PARTS joined by BETWEEN, which is the same in every language."""
    figures = {str(index): part for index, part in enumerate(mark for part in parts for mark in (between, part))}
    figures.pop("0", None)  # no mark before the first
    return Message(between.join(parts), figures=figures)


def listed(parts: Sequence[str]) -> Message:
    """Return PARTS as a list: A, B and C."""
    if len(parts) < 2:
        return joined(parts)
    return message("{several} and {last}", several=joined(parts[:-1], ", "), last=parts[-1])


def recorded(text: str) -> str:
    """Return a message, or a text from a record, in the current language; unchanged if there is no translation."""
    return text.text() if isinstance(text, Message) else translated(CONTEXT, text) or text
