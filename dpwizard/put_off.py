"""Modules that run only once somebody asks for what is in them: libraries import at every start what few ever use.

They are found as ever, and are what they always were from the first question on. Where a library no longer asks for one of them, nothing
is put off: docs/decisions/0092-the-first-page.md.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.abc import Loader
else:
    Loader = object  # where Python has it, importing it takes 10 ms

NUMPY = frozenset(  # scipy asks numpy for all it has by name, its compiler for Fortran and its tools for tests among them: 0.1 s and 7 MB
    f"numpy.{name}" for name in ("char", "core", "ctypeslib", "f2py", "ma", "matlib", "rec", "testing")
)
_turn = threading.RLock()


class PutOff(ModuleType):
    """A module that has not been run."""

    def __getattr__(self, name: str) -> Any:
        run(self)
        if isinstance(self, PutOff):  # it is being run, and asks itself
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        return getattr(self, name)


class Wrapped(Loader):
    """Loads a module as its REAL loader would, and then makes a change to it."""

    def __init__(self, real: Any) -> None:
        self.real = real

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        made: ModuleType | None = self.real.create_module(spec)
        return made

    def exec_module(self, module: ModuleType) -> None:
        spec = module.__spec__
        assert spec is not None
        spec.loader = module.__loader__ = self.real
        self.real.exec_module(module)
        self.change(module)

    def change(self, module: ModuleType) -> None:
        """Change MODULE, which has just been run."""


class _Waiting(Wrapped):
    """Stands in for the loader of a module until something of the module is asked for."""

    def exec_module(self, module: ModuleType) -> None:
        """Have MODULE, which says by now where it comes from, run later."""
        module.__class__ = PutOff


class Finder:
    """Finds modules where they would have been found anyway, and wraps their loaders: WRAPPERS says by the name of a module in what."""

    def __init__(self, wrappers: Mapping[str, type[Wrapped]]) -> None:
        self.wrappers = wrappers

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        wrapper = self.wrappers.get(name)
        if wrapper is None:
            return None
        found = (finder.find_spec(name, path, target) for finder in sys.meta_path if finder is not self)
        spec = next((one for one in found if one is not None), None)
        if spec is not None and spec.loader is not None:
            spec.loader = wrapper(spec.loader)
        return spec


@contextmanager
def spare(names: frozenset[str], wrappers: Mapping[str, type[Wrapped]] | None = None) -> Iterator[None]:
    """Put off each of the modules NAMES that is imported inside the block for the first time; WRAPPERS says what else is wrapped there."""
    finder = Finder({**dict.fromkeys(names, _Waiting), **(wrappers or {})})
    with _turn:
        sys.meta_path = [finder, *sys.meta_path]  # a new list: another thread may be going through the old one, and would miss a finder
    try:
        yield
    finally:
        with _turn:
            sys.meta_path = [other for other in sys.meta_path if other is not finder]


def run(module: ModuleType) -> None:
    """Run MODULE if it was put off."""
    with _turn:
        spec = module.__spec__
        waiting = spec.loader if spec is not None else None
        if spec is None or not isinstance(waiting, _Waiting):  # another thread has run it, or this one is about to
            return
        spec.loader = module.__loader__ = waiting.real
        try:
            waiting.real.exec_module(module)
        except BaseException:
            spec.loader = waiting
            raise
        module.__class__ = ModuleType


def run_all(names: Iterable[str]) -> None:
    """Run those of the modules NAMES that were put off."""
    for name in sorted(names):
        found = sys.modules.get(name)
        if isinstance(found, PutOff):
            run(found)
