"""The window of dpwizard: all that knows Qt.

PySide reads the source of every module imported after it, to see whether it asks for `__feature__` (other spellings of Qt's names). Nothing
here does, and reading some five hundred files takes 60 ms of every start: docs/decisions/0089-the-start-of-the-window.md.
"""

import sys

from PySide6 import QtCore


def _asks_for_no_feature(module: object) -> bool:
    return False


_feature = sys.modules.get("shibokensupport.feature") if QtCore.__name__ in sys.modules else None
if _feature is not None and hasattr(_feature, "_mod_uses_pyside"):
    vars(_feature)["_mod_uses_pyside"] = _asks_for_no_feature
