"""pyqtgraph keeps mirrors of Qt's three modules; here a mirror fetches a name when it is asked for it, not all 700 at the start.

It asks a mirror of each name whether it is there, and copies those that are not, for which PySide builds each class: 60 ms and 8 MB. So a
mirror says to that one function that it has every name. Where pyqtgraph has other ways to copy, it copies:
docs/decisions/0092-the-first-page.md.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from dpwizard.put_off import Finder, Wrapped

COPIES = "_copy_attrs"  # the function in pyqtgraph.Qt that asks for every name of a module
MIRRORS = {f"pyqtgraph.Qt.{name}": f"PySide6.{name}" for name in ("QtCore", "QtGui", "QtWidgets")}


class Mirror(ModuleType):
    """Has every name of one of Qt's modules, each from the first time that it is used."""

    def __getattr__(self, name: str) -> Any:
        if sys._getframe(1).f_code.co_name == COPIES:
            return None  # it only asks whether the name is there
        value = getattr(sys.modules[MIRRORS[self.__name__]], name)
        setattr(self, name, value)
        return value


class _Mirrored(Wrapped):
    """Loads one of pyqtgraph's mirrors, which is still empty then."""

    def change(self, module: ModuleType) -> None:
        module.__class__ = Mirror


def fetch_when_asked() -> None:
    """Let pyqtgraph's mirrors, from when they are imported, fetch what they are asked for."""
    sys.meta_path.insert(0, Finder(dict.fromkeys(MIRRORS, _Mirrored)))
