"""The errors that the program raises on purpose. The model raises no others.

Each has three parts: *where* (the field, as a path such as ``$.requirements[0].p``), *what* is wrong (the value found
and the allowed ones) and *what to do* (the hint).
"""

from __future__ import annotations

from typing import Any, Self

from dpwizard.base.messages import Message, joined, sentence


class DPWizardError(Exception):
    """Base of all errors: a message, the field or file concerned, and a remedy.

    Arguments: wrong, the problem in one plain sentence; where, the field, file or step concerned (may be empty);
    hint, the remedy; figures, the values of the placeholders in both sentences, by name.
    """

    def __init__(self, wrong: str, where: str = "", hint: str = "", /, **figures: Any) -> None:
        self.message = sentence(wrong, **figures)
        self.where = where
        self.hint = sentence(hint, **figures)
        super().__init__(self.message, where, self.hint)

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        remedy = f". {self.remedy}" if self.hint else ""
        # sentences quoted from a record end with a full stop
        return f"{place}{self.text.removesuffix('.') if remedy else self.text}{remedy}"

    @property
    def whole(self) -> Message:
        """Return place, message and remedy as one message."""
        place = f"{self.where}: " if self.where else ""
        return joined((place, self.message, ". ", self.hint) if self.hint else (place, self.message), "")

    @property
    def text(self) -> str:
        """Return the problem in the current language; `message` is English, for machines."""
        return self.message.text()

    @property
    def remedy(self) -> str:
        """Return the remedy in the current language; `hint` is English."""
        return self.hint.text()

    def scaled(self, factor: float) -> Self:
        """Return the same error with its quantities multiplied by FACTOR, for another unit."""
        return type(self)(self.message.scaled(factor), self.where, self.hint)

    def inside(self, prefix: str) -> Self:
        """Return the same error with PREFIX, such as ``$.args``, before its path."""
        return type(self)(self.message, join(prefix, self.where), self.hint)


class InvalidInput(DPWizardError, ValueError):
    """A value that is missing, has the wrong type, is out of range or contradicts another one."""


class Infeasible(DPWizardError):
    """The requirement is valid, but no epsilon (or no noise) meets it."""


class SolverFailure(DPWizardError):
    """A solver could not certify its answer; a defect to report."""


class FileProblem(DPWizardError):
    """A file that cannot be read or written, or has the wrong content."""


class FileChanged(FileProblem):
    """A project file that another program has changed since it was opened."""


class SigningProblem(DPWizardError):
    """A key, passphrase or certificate that cannot be used."""


def join(prefix: str, where: str) -> str:
    """Return the path WHERE below PREFIX: ``join("$.args", "p[0]")`` is ``$.args.p[0]``."""
    if not where or where == "$":
        return prefix
    rest = where[1:] if where.startswith("$") else where
    return f"{prefix}{rest}" if rest[0] in ".[" else f"{prefix}.{rest}"
