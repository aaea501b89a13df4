"""The members of a record that do not follow from its decision, each with a closed form that holds no sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any, NamedTuple

from dpwizard.errors import InvalidInput
from dpwizard.messages import message
from dpwizard.one_line import on_one_line

SOLVER_LIBRARIES = ("numpy", "scipy", "pydantic")
UNKNOWN = "unknown"  # what this program writes of a platform whose name has another form
MOST_SHOWN = 60  # characters of a value in an error
DAMAGED = "The record is damaged; ask for the original."


class Form(NamedTuple):
    """A regular expression that the whole of a text must match, and an example."""

    pattern: str
    example: str

    def fits(self, found: object) -> bool:
        """Return whether FOUND is a text of this form."""
        return isinstance(found, str) and re.fullmatch(self.pattern, found, re.ASCII) is not None


# as in PEP 440, without epochs and local versions: 0.7.0, 1.0-dev, 2.5.0rc1
VERSION = Form(r"\d{1,6}(\.\d{1,6}){0,3}((a|b|rc)\d{1,3})?([.-](dev|post)\d{0,6})?", "0.7.0")
SHA256 = Form(r"[0-9a-f]{64}", "64 digits of 0 to 9 and a to f")
TIME = Form(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d(:\d\d)?", "2026-11-21T14:30:00+01:00")
FORMS: Mapping[str, Form] = MappingProxyType(
    {
        "made.time": TIME,
        "made.time_source": Form("signer|computer", "signer"),
        "program.name": Form("dpwizard", "dpwizard"),
        "program.version": VERSION,
        **{f"program.libraries.{name}": VERSION for name in SOLVER_LIBRARIES},
        "platform.python": Form(r"\d\.\d{1,3}\.\d{1,3}((a|b|rc)\d{1,3})?\+?|unknown", "3.11.7"),
        "platform.system": Form(r"Linux|Windows|Darwin|(Free|Open|Net)BSD|unknown", "Linux"),
        "platform.machine": Form(r"[A-Za-z]{1,9}\d{1,3}(_\d\d|el|le|hf|[a-z])?|unknown", "x86_64"),
        "salt": SHA256,
        "internal_sha256": SHA256,
    }
)


def known(name: str, found: str) -> str:
    """Return what is FOUND of the platform where it has the form of the member NAME, else UNKNOWN."""
    return found if FORMS[name].fits(found) else UNKNOWN


def require_closed(record: Mapping[str, Any]) -> None:
    """Raise InvalidInput where a member of RECORD that follows from no decision has another form or other members."""
    stated = dict(_stated(record))
    for where in FORMS:
        if where.split(".")[0] in record and where not in stated:
            raise InvalidInput("is missing", f"$.{where}", DAMAGED)
    for where, found in stated.items():
        form = FORMS.get(where)
        if form is None:
            raise InvalidInput("is no member of a record", f"$.{where}", DAMAGED)
        if not form.fits(found) or (form is TIME and not _is_time(found)):
            raise InvalidInput(
                message(
                    'must look like "{example}"; found "{found}"',
                    example=form.example,
                    found=on_one_line(str(found))[:MOST_SHOWN],
                ),
                f"$.{where}",
                DAMAGED,
            )


def _stated(record: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield where and what RECORD states of the members in FORMS, with whatever stands beside them."""
    tops = dict.fromkeys(where.split(".")[0] for where in FORMS)
    for name in tops:
        if name in record:
            yield from _leaves(name, record[name])


def _leaves(where: str, found: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(found, Mapping) and where not in FORMS:
        for name, item in found.items():
            yield from _leaves(f"{where}.{name}", item)
    else:
        yield where, found


def _is_time(found: str) -> bool:
    try:
        datetime.fromisoformat(found)
    except ValueError:
        return False
    return True
