"""The TOML files of an office: read strictly, and written with every field explained, in the language spoken."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

from dpwizard.base.errors import InvalidInput
from dpwizard.base.language import phrase
from dpwizard.base.messages import Message, message
from dpwizard.base.values import Value, read

Kind = TypeVar("Kind", bound=Value)


def read_toml(kind: type[Kind], format: str, data: bytes, where: str) -> Kind:
    """Return the value of KIND in DATA, the bytes of a TOML file of that FORMAT.

    Raises InvalidInput naming the field, what was found, what is allowed and a remedy; WHERE names the file.
    """
    try:
        raw = tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise InvalidInput("is not UTF-8 text", where, "Save it as UTF-8.") from None
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as problem:
        raise InvalidInput(
            message("is not TOML: {reason}", reason=str(problem)[:200]), where, "Correct the text there."
        ) from None
    stated = raw.get("format")
    if isinstance(stated, str) and stated != format and stated.startswith(f"{format.partition('/')[0]}/"):
        raise InvalidInput(
            message('"{format}" is not a version this program can read', format=stated[:60]),
            f"{where}: format",
            message('It can read "{format}".', format=format),
        )
    try:
        value: Kind = read(kind, raw)
    except InvalidInput as problem:
        raise InvalidInput(problem.message, f"{where}: {problem.where.removeprefix('$.')}", problem.hint) from None
    return value


def text_of(head: Iterable[Message], value: Value, examples: Mapping[str, Any]) -> list[str]:
    """Return as lines HEAD and format, name and what EXAMPLES name of VALUE, each field explained; of a field that is
    not set its example, as a remark."""
    lines = [f"# {line.text()}" for line in head]
    for name in ("format", "name", *examples):
        stated, field = getattr(value, name), type(value).model_fields[name]
        unset = name in examples and stated == field.default
        lines += ["", *explained(type(value), name)]
        lines.append(f"# {name} = {written(examples[name])}" if unset else f"{name} = {written(stated)}")
    return lines


def explained(kind: type[Value], name: str, indent: str = "") -> Iterator[str]:
    """Yield a comment that says what field NAME of KIND is."""
    declared = kind.model_fields[name]
    label, help = phrase("label", declared.title or name), phrase("label", declared.description or "")
    yield f"# {indent}{label}: {help}" if help else f"# {indent}{label}"


def written(value: Any) -> str:
    """Return VALUE as TOML writes it: its texts are those of JSON, but for one character that it does not take."""
    if isinstance(value, tuple):
        return f"[{', '.join(written(item) for item in value)}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
