"""YAML read as plain text, lists and objects: bounded, without tags, anchors or keys that stand twice.

Every scalar stays the text that was written, so that 17.10 is not 17.1 and a date is no object of Python's.
"""

from __future__ import annotations

from typing import Any

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message

LARGEST = 256 * 1024  # bytes; the longest entry of the registry has 16,000
DEEPEST = 30
MOST_EVENTS = 50_000


def parse(data: bytes, where: str = "$") -> Any:
    """Return what DATA, one YAML document, says, every scalar as text and an empty one as None.

    Raises InvalidInput for what is no YAML, is too large or too deep, or holds a tag, an anchor or a key twice.
    """
    import yaml

    if len(data) > LARGEST:
        raise InvalidInput(
            message("has {size} bytes; at most {most} are read", size=len(data), most=LARGEST),
            where,
            "Check that it is the right file.",
        )
    try:
        text = data.decode("utf-8-sig")
        _require_plain(text, where)
        return _plain(yaml.compose(text, Loader=yaml.BaseLoader), where)
    except InvalidInput:  # is a ValueError, too
        raise
    except UnicodeError:
        raise InvalidInput("is not valid UTF-8 text", where, "Save it as UTF-8.") from None
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark
        line, column = (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
        raise InvalidInput(
            message("is not YAML: line {line}, column {column}", line=line, column=column),
            where,
            "Correct the text there.",
        ) from None
    except (yaml.YAMLError, ValueError, RecursionError):
        raise InvalidInput("is not YAML", where, "Save it as YAML or JSON text.") from None


def _require_plain(text: str, where: str) -> None:
    """Raise before anything is built: what aliases would multiply, and what tags would make of a text."""
    import yaml

    depth = documents = 0
    for count, event in enumerate(yaml.parse(text, Loader=yaml.BaseLoader)):
        documents += isinstance(event, yaml.DocumentStartEvent)
        line = event.start_mark.line + 1
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            raise InvalidInput(message("contains an anchor or an alias in line {line}", line=line), where, PLAIN)
        if getattr(event, "tag", None) is not None:
            raise InvalidInput(message("contains a tag in line {line}", line=line), where, PLAIN)
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > DEEPEST:
            raise InvalidInput(message("is nested more than {most} deep", most=DEEPEST), where, PLAIN)
        if count > MOST_EVENTS or documents > 1:
            raise InvalidInput("contains more than a claim can have", where, "Check that it is the right file.")


PLAIN = "Write it out: plain texts, lists and names."


def _plain(node: Any, where: str) -> Any:
    import yaml

    match node:
        case yaml.MappingNode():
            fields: dict[str, Any] = {}
            for key, value in node.value:
                if not isinstance(key, yaml.ScalarNode):
                    raise InvalidInput(
                        message("contains a name that is not text in line {line}", line=key.start_mark.line + 1),
                        where,
                        PLAIN,
                    )
                name = str(key.value)
                if name in fields:
                    raise InvalidInput(
                        message('the key "{key}" is given twice in one object', key=name[:60]),
                        where,
                        "Keep one of the two.",
                    )
                fields[name] = _plain(value, f"{where}.{name[:60]}")
            return fields
        case yaml.SequenceNode():
            return [_plain(one, f"{where}[{at}]") for at, one in enumerate(node.value)]
        case yaml.ScalarNode():
            return str(node.value) or None
    return None
