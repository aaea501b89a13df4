"""Every error the program raises on purpose, on one page.

An error says three things: *where* (the field, as a path such as ``$.requirements[0].p``), *what* is
wrong (the value found and what is allowed) and *what to do* (the hint). Nothing else leaves the model.
"""

from __future__ import annotations

from typing import Any, Self

from dpwizard.base.messages import Message, joined, sentence


class DPWizardError(Exception):
    """Base of all errors: a message, the place it speaks of, and a remedy.

    Arguments: wrong, what is wrong in one plain sentence; where, the field, file or step it speaks of (may be empty);
    hint, what the reader can do about it; figures, by the names of their places in both sentences.
    """

    def __init__(self, wrong: str, where: str = "", hint: str = "", /, **figures: Any) -> None:
        self.message = sentence(wrong, **figures)
        self.where = where
        self.hint = sentence(hint, **figures)
        super().__init__(self.message, where, self.hint)

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        remedy = f". {self.remedy}" if self.hint else ""
        # a sentence of the record has its own full stop
        return f"{place}{self.text.removesuffix('.') if remedy else self.text}{remedy}"

    @property
    def whole(self) -> Message:
        """Return place, message and remedy as one message."""
        place = f"{self.where}: " if self.where else ""
        return joined((place, self.message, ". ", self.hint) if self.hint else (place, self.message), "")

    @property
    def text(self) -> str:
        """Return what is wrong in the language spoken; `message` is what machines read, in English."""
        return self.message.text()

    @property
    def remedy(self) -> str:
        """Return what the reader can do about it, in the language spoken; `hint` is the same in English."""
        return self.hint.text()

    def scaled(self, factor: float) -> Self:
        """Return the same error with its quantities in another unit, FACTOR times as small."""
        return type(self)(self.message.scaled(factor), self.where, self.hint)

    def inside(self, prefix: str) -> Self:
        """Return the same error with its place read from PREFIX, for instance ``$.args``."""
        return type(self)(self.message, join(prefix, self.where), self.hint)


class InvalidInput(DPWizardError, ValueError):
    """A value that is missing, of the wrong type, out of range or contradicts another one."""


class Infeasible(DPWizardError):
    """What was asked is meaningful, but no epsilon (or no noise) can do it."""


class SolverFailure(DPWizardError):
    """A solver could not certify its answer; a defect to report, never a wrong number."""


class FileProblem(DPWizardError):
    """A file that cannot be read or written, or is not what it should be."""


class FileChanged(FileProblem):
    """A project file that another program changed since it was opened."""


class SigningProblem(DPWizardError):
    """A key, passphrase or certificate that cannot be used for what was asked."""


def join(prefix: str, where: str) -> str:
    """Return WHERE as seen from PREFIX: ``join("$.args", "p[0]")`` is ``$.args.p[0]``."""
    if not where or where == "$":
        return prefix
    rest = where[1:] if where.startswith("$") else where
    return f"{prefix}{rest}" if rest[0] in ".[" else f"{prefix}.{rest}"
