"""A sentence of the model until it is shown: an English template with figures in its places.

Machines read its English text; people read it in their language, where the template is translated before it is filled.
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
    """A figure in the unit of the field that an error speaks of; a form may show it in another, 0.05 as 5 in 100."""

    value: float

    def __format__(self, spec: str) -> str:
        return format(self.value, spec)

    def scaled(self, factor: float) -> Quantity:
        """Return the figure in another unit, FACTOR times as small."""
        value = float(f"{self.value * factor:.15g}")
        return Quantity(int(value) if value.is_integer() and abs(value) < 1e15 else value)


class Message(str):
    """A sentence in English that can be said in another language.

    In its places stand figures: a number is written as the language writes it, another message is said in it, and any
    other text, such as a name somebody typed, stays as it is.
    """

    template: str  # what is translated; empty where the figures, one after another, are all there is to say
    plural: str
    figures: Mapping[str, Any]

    def __new__(cls, english: str, template: str = "", plural: str = "", figures: Mapping[str, Any] = NOTHING) -> Self:
        new = super().__new__(cls, english)
        new.template, new.plural, new.figures = template, plural, figures
        return new

    def __reduce__(self) -> tuple[type[Message], tuple[str, str, str, dict[str, Any]]]:
        """Be copied, and sent to another process, with its figures."""
        return Message, (str(self), self.template, self.plural, dict(self.figures))

    def text(self) -> str:
        """Return the sentence in the language spoken."""
        if spoken() == ENGLISH:
            return str(self)
        if not self.template:
            return "".join(f"{_LocalisedFigure(part)}" for part in self.figures.values()) or str(self)
        translation = phrase(CONTEXT, self.template, self.plural, self.figures.get("count", 1))
        figures = {name: _LocalisedFigure(figure) for name, figure in self.figures.items()}
        return translation.format_map(figures) if figures else translation

    def scaled(self, factor: float) -> Message:
        """Return the sentence with its quantities in another unit, FACTOR times as small."""
        if not self.figures:
            return self
        figures: dict[str, Any] = {
            name: figure.scaled(factor) if isinstance(figure, Message | Quantity) else figure
            for name, figure in self.figures.items()
        }
        if not self.template:
            return Message("".join(f"{figure}" for figure in figures.values()), figures=figures)
        return message(self.template, self.plural, **figures)


NO_MESSAGE = Message("")  # nothing is to be said


@dataclass(frozen=True)
class _LocalisedFigure:
    """A figure in its place in a sentence of another language."""

    figure: Any

    def __format__(self, spec: str) -> str:
        if isinstance(self.figure, Message):
            return self.figure.text()
        text = format(self.figure, spec)
        return text if isinstance(self.figure, str) else digits(text)


def message(template: str, plural: str = "", /, **figures: Any) -> Message:
    """Return a sentence with FIGURES in the named places of TEMPLATE; of PLURAL where the figure `count` is not 1.

    Both are written out in the source: a test reads them there and asks for them in every language.
    """
    english = plural if plural and figures["count"] != 1 else template
    return Message(english.format_map(figures) if figures else english, template, plural, figures)


def sentence(text: str, /, **figures: Any) -> Message:
    """Return TEXT as a message, with FIGURES in its named places; one that is a message already as it is."""
    return text if isinstance(text, Message) else message(text, **figures)


def verbatim(text: str) -> Message:
    """Return TEXT as a message that no language changes: what a library says, or what was said in words already."""
    return Message(text)


def quoted(name: str) -> Message:
    """Return a NAME that somebody gave in quotation marks, and with none inside that could end them."""
    return message("“{name}”", name=name.translate(dict.fromkeys(map(ord, '“”„«»"'), "'")))


def joined(parts: Sequence[str], between: str = " ") -> Message:
    """Return PARTS one after another, with the same mark BETWEEN them in every language."""
    figures = {str(index): part for index, part in enumerate(mark for part in parts for mark in (between, part))}
    figures.pop("0", None)  # no mark before the first
    return Message(between.join(parts), figures=figures)


def listed(parts: Sequence[str]) -> Message:
    """Return PARTS as an enumeration: A, B and C."""
    if len(parts) < 2:
        return joined(parts)
    return message("{several} and {last}", several=joined(parts[:-1], ", "), last=parts[-1])


def recorded(text: str) -> str:
    """Return a sentence that may come from a record: a message in the language spoken; a text by its words, where the
    language has the whole of it, and else as it stands."""
    return text.text() if isinstance(text, Message) else translated(CONTEXT, text) or text
