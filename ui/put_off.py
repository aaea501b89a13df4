"""What PySide imports at every start for its error messages and its tools alone, which is put off; and its look into every source.

Where PySide no longer asks for one of them, or finds it by ways of its own (scripts/setup.sh was not run), nothing is put off:
docs/decisions/0092-the-first-page.md.
"""

from __future__ import annotations

from types import ModuleType

from dpwizard.put_off import Wrapped

PYSIDE = frozenset(  # what says how a function of Qt should have been called, and what writes the types of all of them to a file
    f"shibokensupport.signature.{name}"
    for name in ("errorhandler", "layout", "lib.enum_sig", "lib.pyi_generator", "lib.tool", "mapping", "parser")
)
PYTHON = frozenset({"inspect", "tempfile", "textwrap", "zipfile"})  # what PySide needs where it unpacks itself, or explains a function
ASKS = "_mod_uses_pyside"


class Incurious(Wrapped):
    """Loads PySide's `__feature__`, which is then told that no module asks for it instead of reading the source of each."""

    def change(self, module: ModuleType) -> None:
        if hasattr(module, ASKS):
            setattr(module, ASKS, lambda module: False)


INCURIOUS: dict[str, type[Wrapped]] = {"shibokensupport.feature": Incurious}
