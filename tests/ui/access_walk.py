"""What a screen reader finds: every control that is shown, by role, name, the groups it stands in, its value and its
description."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QWidget

Role = QAccessible.Role
USED = {  # roles of what can be used, or read by keyboard
    *(Role.Button, Role.PushButton, Role.CheckBox, Role.RadioButton, Role.ButtonMenu, Role.ButtonDropDown, Role.Link),
    *(Role.EditableText, Role.ComboBox, Role.SpinBox, Role.Slider, Role.List, Role.Table, Role.Tree, Role.PageTab),
}
VALUED = {Role.Slider, Role.SpinBox, Role.ComboBox}
MECHANICS = ("qt_", "ScrollLeftButton", "ScrollRightButton")  # names Qt gives to parts of its own widgets


@dataclass(frozen=True)
class Found:
    """One control as a screen reader hears it."""

    role: QAccessible.Role
    name: str
    groups: tuple[str, ...]  # the names of what it stands in, the outermost first
    value: str
    description: str
    kind: str  # the class of the widget, for whoever reads what fails
    widget: QWidget

    @property
    def heard(self) -> str:
        """Return its name with the groups it stands in."""
        return " > ".join((*self.groups, self.name))


def controls(top: QWidget) -> Iterator[Found]:
    """Yield what can be used in TOP: what is shown, and takes the keyboard or has a role that is used."""
    start = QAccessible.queryAccessibleInterface(top)
    assert start is not None, top
    yield from _below(start, ())


def _below(at: QAccessibleInterface, groups: tuple[str, ...]) -> Iterator[Found]:
    for index in range(at.childCount()):
        child = at.child(index)
        if child is None or not child.isValid() or child.state().invisible:
            continue
        widget = child.object()
        name = child.text(QAccessible.Text.Name).strip()
        if child.role() == Role.ComboBox and isinstance(widget, QWidget):
            name = widget.accessibleName()  # Qt gives what is chosen, and the label only as a relation
        inside = groups
        if isinstance(widget, QWidget):
            if not widget.isVisible():
                continue
            if _used(child, widget):
                yield Found(
                    role=child.role(),
                    name=name,
                    groups=groups,
                    value=_value(child),
                    description=child.text(QAccessible.Text.Description),
                    kind=type(widget).__name__,
                    widget=widget,
                )
                continue
            inside = (
                (*groups, name) if name and child.role() not in (Role.StaticText, Role.Window, Role.Dialog) else groups
            )
        if child.role() != Role.StaticText:
            yield from _below(child, inside)


def _used(child: QAccessibleInterface, widget: QWidget) -> bool:
    if widget.objectName().startswith(MECHANICS) or child.role() in (Role.ScrollBar, Role.StaticText):
        return False
    return child.role() in USED or bool(child.state().focusable)


def _value(child: QAccessibleInterface) -> str:
    """Return the value, as words where it has any, else as a number."""
    words = child.text(QAccessible.Text.Value).strip()
    if words:
        return words
    number = child.valueInterface()
    return "" if number is None else str(number.currentValue())


def wrong(found: list[Found]) -> list[str]:
    """Return what a screen reader could not tell: no name, one name for two things, no value."""
    often = Counter((one.role, one.heard) for one in found)
    told = []
    for one in found:
        if not one.name:
            told.append(f"no name: {one.kind} {one.widget.objectName()} in {one.groups}")
        elif often[one.role, one.heard] > 1:
            told.append(f"twice: {one.role.name} {one.heard}")
        if one.role in VALUED and not one.value:
            told.append(f"no value: {one.heard}")
        if one.kind == "ChartPlot" and not one.description:
            told.append(f"no words: {one.heard}")
    return told
