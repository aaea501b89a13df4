"""What a field is called before a person's eyes: its label, and which of several it is, never a path into a file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, get_args

from dpwizard.base.language import phrase, word
from dpwizard.base.values import Value

STEP = re.compile(r"([A-Za-z_]\w*)|\[(\d+)\]")
RANGES = frozenset({"p", "q"})  # one chance, or the two ends of a range


class Owner(NamedTuple):
    """The entry of a list that a field is of: the list, its label, which entry, and what that is called."""

    list: str
    label: str
    number: int
    called: str | None

    def with_field(self, text: str) -> str:
        """Return a field with whose it is; of a requirement its name says so."""
        if self.list == "requirements":
            return text
        key = self.list if self.list in ("attributes", "parts", "spent") else "other"
        if self.called and self.list == "parts":
            key = "parts_named"
        return word("place", key).format(field=text, number=self.number, list=self.label, name=self.called)


def field_label(kinds: Sequence[type[Value]], path: str, root: object = None) -> str:
    """Return what the field at PATH of one of KINDS is called: "Precision of attribute 1"; undeclared, its last name.

    Arguments: path, as `attributes[0].precision`; a leading `$.` is allowed; root, the value that the path leads into,
    if there is one: a table is then called by its name.
    """
    kinds_here: Sequence[type[Value]] = kinds
    value: Any = root
    name, label, entry_name, numbers = "", "", "", []
    owner: Owner | None = None
    for step in STEP.finditer(path.removeprefix("$")):
        if step[2] is not None:
            numbers.append(int(step[2]))
            entries = value if isinstance(value, tuple) else ()
            entry_name = entries[0] if entries and isinstance(entries[0], str) else ""  # name and number
            value = entries[numbers[-1]] if numbers[-1] < len(entries) else None
            continue
        if numbers:
            called = getattr(value, "name", None)
            owner = Owner(name, label, numbers[0] + 1, called if isinstance(called, str) else None)
        name, numbers, entry_name = step[1], [], ""
        kinds_here = (type(value),) if isinstance(value, Value) else kinds_here
        declared = next((kind.model_fields[name] for kind in kinds_here if name in kind.model_fields), None)
        label = phrase("label", declared.title) if declared is not None and declared.title else name.replace("_", " ")
        kinds_here = () if declared is None else tuple(_value_kinds(declared.annotation))
        value = getattr(value, name, None)
    text = word("place", "of_name").format(field=label, name=entry_name) if entry_name else _entry(name, label, numbers)
    return text if owner is None else owner.with_field(text)


def _entry(name: str, label: str, numbers: Sequence[int]) -> str:
    """Return the label of a field with which of its entries is meant."""
    if not numbers:
        return label
    if name in RANGES:
        return word("place", "lower" if numbers[0] == 0 else "upper").format(field=label)
    if name == "points" and len(numbers) > 1:
        return word("place", "knot_belief" if numbers[1] == 0 else "knot_ratio").format(number=numbers[0] + 1)
    return word("place", "entry").format(field=label, number=", ".join(str(number + 1) for number in numbers))


def _value_kinds(annotation: Any) -> Iterable[type[Value]]:
    """Yield every kind of value that a field of ANNOTATION may hold, itself or in a list."""
    if isinstance(annotation, type) and issubclass(annotation, Value):
        return [annotation]
    return [kind for part in get_args(annotation) for kind in _value_kinds(part)]
