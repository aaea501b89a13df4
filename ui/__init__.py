"""The window of dpwizard: all that knows Qt.

PySide puts a function of its own in the place of Python's import: it reads the source of every module imported later, to see whether it
asks for `__feature__` (other spellings of Qt's names). Nothing here does; with Python's own import, a start is 75 ms shorter. What else
is left out of a start: docs/decisions/0089-the-start-of-the-window.md and docs/decisions/0092-the-first-page.md.
"""

import builtins
from importlib import import_module

from dpwizard.put_off import spare
from ui.mirrors import fetch_when_asked
from ui.put_off import INCURIOUS, PYSIDE, PYTHON

with spare(PYSIDE | PYTHON, INCURIOUS):
    import_module("PySide6")

fetch_when_asked()
builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)
