"""pyqtgraph's mirrors of Qt fetch a name when it is asked for, and are complete all the same, however pyqtgraph fills them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
LOOKED_AT = """
import json, sys
from ui import mirrors
mirrors.COPIES = sys.argv[1] or mirrors.COPIES
import pyqtgraph, pyqtgraph.Qt as mirrored
from PySide6 import QtCore, QtGui, QtWidgets
told = {}
for real in (QtCore, QtGui, QtWidgets):
    mirror = getattr(mirrored, real.__name__.split(".")[1])
    held = len(vars(mirror))
    names = [name for name in dir(real) if not name.startswith("__")]
    same = all(getattr(mirror, name) is getattr(real, name) for name in names)
    try:
        mirror.QNothingOfTheKind
        refused = ""
    except AttributeError as problem:
        refused = str(problem)
    told[real.__name__] = {"held": held, "names": len(names), "same": same, "refused": refused}
print(json.dumps(told))
"""


def looked_at(copies: str = "") -> dict[str, dict[str, Any]]:
    """Return what each mirror held, once pyqtgraph was imported, and whether it has every name; COPIES: what fills them is called so."""
    done = subprocess.run([sys.executable, "-c", LOOKED_AT, copies], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    found: dict[str, dict[str, Any]] = json.loads(done.stdout)
    return found


def test_a_mirror_holds_little_and_has_every_name() -> None:
    for name, mirror in looked_at().items():
        assert mirror["held"] < mirror["names"] / 3, name
        assert mirror["same"], name
        assert "QNothingOfTheKind" in mirror["refused"]


def test_where_pyqtgraph_has_other_ways_to_copy_everything_is_copied() -> None:
    for name, mirror in looked_at(copies="_something_else").items():
        assert mirror["held"] >= mirror["names"], name
        assert mirror["same"], name


@pytest.mark.parametrize("module", ["QtCore", "QtGui", "QtWidgets"])
def test_pyqtgraph_has_the_mirrors_that_are_named_here(module: str) -> None:
    import pyqtgraph.Qt

    from ui.mirrors import MIRRORS, Mirror

    assert MIRRORS[f"pyqtgraph.Qt.{module}"] == f"PySide6.{module}"
    assert isinstance(getattr(pyqtgraph.Qt, module), Mirror)
