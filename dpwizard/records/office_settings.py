"""What an office sets for everybody on a computer: one small TOML file. It changes no number of any decision.

It is read strictly: what is not understood is refused, and then nothing of it holds.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from dpwizard.base import files
from dpwizard.base.errors import DPWizardError, InvalidInput
from dpwizard.base.language import LANGUAGES
from dpwizard.base.messages import Message, message
from dpwizard.base.office_folder import LARGEST, SETTINGS
from dpwizard.base.values import ShortText, Value, field, refused
from dpwizard.decision import MOST_LINES, Decision, Letterhead, OneLine, Paper, letterhead_of, new_decision
from dpwizard.records.toml_text import explained, read_toml, text_of, written

FORMAT = "dpwizard.office/1"
EXAMPLES = {"language": "de", "paper": "a4", "records": "/srv/privacy/records"}  # what an office could set
HEAD = (
    message("What the office sets for everyone on this computer. It changes no number of any decision."),
    message("A line that begins with # sets nothing. To set it, remove the # and change the value."),
    message("It applies once it is in the office’s folder as office.toml."),
)


def _check_language(named: str) -> str:
    if named not in LANGUAGES:
        raise refused("range", message("must be one of {choices}", choices=", ".join(LANGUAGES)))
    return named


def _check_folder(named: str) -> str:
    if not os.path.isabs(named) or not named.isprintable():
        raise refused("range", message("must be a folder from its drive or root on, for instance /srv/records"))
    return named


def _check_name(named: str) -> str:
    if os.path.basename(named) != named or "\\" in named or named in ("", ".", "..") or not named.isprintable():
        raise refused("range", message("must be the name of a file beside this one, for instance logo.png"))
    return named


class PlacedLetterhead(Value):
    """The letterhead of an office, its logo a file beside the settings."""

    name: OneLine = field("Name of the office", "As on the office’s letters.", default=...)
    lines: Annotated[tuple[OneLine, ...], Field(max_length=MOST_LINES)] = field(
        "Lines below it", "Three at most: address, department, web page.", default=()
    )
    logo: Annotated[ShortText, AfterValidator(_check_name)] | None = field(
        "File of the logo", "A PNG beside this file, of at most 64 kB and 2,000 x 1,000 pixels."
    )


class OfficeSettings(Value):
    """What an office sets; what is absent is as it is everywhere."""

    format: Literal["dpwizard.office/1"] = field("Format", "The version of this format.", default=...)
    name: OneLine = field("Name of the office", "Who set this.", default=...)
    language: Annotated[ShortText, AfterValidator(_check_language)] | None = field(
        "Language of the window", "And of new decisions, until someone chooses another one."
    )
    paper: Paper | None = field("Paper of new decisions", "Each decision can use the other one.")
    records: Annotated[ShortText, AfterValidator(_check_folder)] | None = field(
        "Folder of records", "The folder offered for a new record when you sign. You can choose another."
    )
    letterhead: PlacedLetterhead | None = field(
        "Letterhead of new decisions", "Small, at the top of page one of the record and of the public notice."
    )


@dataclass(frozen=True, kw_only=True)
class Placed:
    """What holds on a computer of what its office set: nothing where that cannot be read, and then why not."""

    path: Path
    settings: OfficeSettings | None = None
    letterhead: Letterhead | None = None  # with its logo
    problem: DPWizardError | None = None

    def new_decision(self) -> Decision:
        """Return an empty decision, as the office sets it."""
        set_here = {} if self.settings is None else {"paper": self.settings.paper, "letterhead": self.letterhead}
        return new_decision().model_copy(update=set_here)

    def folder_of_records(self) -> tuple[Path | None, Message | None]:
        """Return the folder in which a new record is to lie, None where the usual one is; and why not the one set.

        It must be there, and let this user write.
        """
        named = self.settings.records if self.settings is not None else None
        if named is None:
            return None, None
        if not files.is_folder(Path(named)):
            return None, message("The office’s folder of records does not exist: {folder}", folder=named)
        if not os.access(named, os.W_OK | os.X_OK):
            return None, message("You cannot write into the office’s folder of records: {folder}", folder=named)
        return Path(named), None


def read_settings(path: Path) -> OfficeSettings:
    """Return the settings in the file PATH; raises FileProblem, and InvalidInput naming the field, what was found, what
    is allowed and a remedy."""
    return read_toml(OfficeSettings, FORMAT, files.read_bytes(path, LARGEST), files.printable(path))


def letterhead_placed(settings: OfficeSettings, path: Path) -> Letterhead | None:
    """Return the letterhead that SETTINGS, the file PATH, set, with the logo that lies beside it.

    Raises FileProblem where the logo cannot be read, InvalidInput where it is no picture that is taken.
    """
    letterhead = settings.letterhead
    if letterhead is None:
        return None
    logo = None if letterhead.logo is None else path.with_name(letterhead.logo)
    try:
        return letterhead_of(
            letterhead.name, letterhead.lines, None if logo is None else files.read_bytes(logo, LARGEST)
        )
    except InvalidInput as problem:
        raise InvalidInput(problem.message, files.printable(logo or path), problem.hint) from None


def placed(folder: Path) -> Placed:
    """Return what the office set in FOLDER, and never raise: what is wrong with it is in the result."""
    path = folder / SETTINGS
    if not files.may_be_there(path):
        return Placed(path=path)
    try:
        settings = read_settings(path)
        return Placed(path=path, settings=settings, letterhead=letterhead_placed(settings, path))
    except DPWizardError as problem:
        return Placed(path=path, problem=problem)


def template() -> str:
    """Return settings that set nothing yet, with every field explained."""
    name, address = message("Name of the office").text(), message("Street and number").text()
    lines = text_of(HEAD, OfficeSettings(format=FORMAT, name=name), EXAMPLES)
    lines += ["", *explained(OfficeSettings, "letterhead"), "# [letterhead]"]
    letters = {"name": name, "lines": (address, "https://www.example.org"), "logo": "logo.png"}
    for each, letter in letters.items():
        lines += [*explained(PlacedLetterhead, each, "  "), f"# {each} = {written(letter)}"]
    return "\n".join(lines) + "\n"
