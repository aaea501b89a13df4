"""Where Linux lacks a library of Qt, the window says which Debian package holds it, and does not end in a traceback."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import PySide6
import pytest

import main
from dpwizard.base.errors import DPWizardError
from ui import system_libraries
from ui.system_libraries import PLATFORMS, QT, asked_platforms, check, debian_package

FOLDER = Path(PySide6.__path__[0])
OF_EVERY_PROGRAM = re.compile(r"lib(c|m|dl|gcc_s|stdc\+\+|pthread|rt)\.so|libQt6|libicu|libpyside6|libshiboken6")


def named_in(library: Path) -> set[str]:
    """Return the shared libraries of the system that a LIBRARY of Qt names."""
    names = re.findall(rb"\0(lib[\w.+-]+\.so\.[\d.]+)(?=\0)", library.read_bytes())
    return {name.decode() for name in names if not OF_EVERY_PROGRAM.match(name.decode())}


def complaint(environment: dict[str, str], *missing: str) -> str:
    """Return what is said in ENVIRONMENT on a system without the libraries MISSING; an empty text if nothing is."""
    try:
        check(environment, lambda library: library not in missing)
    except DPWizardError as problem:
        return str(problem)
    return ""


@pytest.mark.parametrize(
    ("library", "package"),
    [
        ("libGL.so.1", "libgl1"),
        ("libglib-2.0.so.0", "libglib2.0-0"),
        ("libdbus-1.so.3", "libdbus-1-3"),
        ("libxkbcommon-x11.so.0", "libxkbcommon-x11-0"),
        ("libxcb-icccm.so.4", "libxcb-icccm4"),
        ("libwayland-cursor.so.0", "libwayland-cursor0"),
        ("libwayland-egl.so.1", "libwayland-egl1"),
    ],
)
def test_a_library_is_named_with_its_debian_package(library: str, package: str) -> None:
    assert debian_package(library) == package
    said = complaint({"QT_QPA_PLATFORM": "wayland" if "wayland" in library else "xcb"}, library)
    assert said.endswith(f"lacks: {library}. On Debian or Ubuntu, install them with: sudo apt-get install {package}")


def test_everything_that_is_missing_is_named_at_once_and_each_package_once() -> None:
    said = complaint({"DISPLAY": ":0"}, "libGL.so.1", "libglib-2.0.so.0", "libgthread-2.0.so.0", "libxcb-cursor.so.0")
    assert said.endswith("sudo apt-get install libgl1 libglib2.0-0 libxcb-cursor0")


def test_a_desktop_with_wayland_and_x_needs_one_of_them() -> None:
    desktop = {"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}
    assert asked_platforms(desktop) == ("wayland", "xcb")
    assert complaint(desktop, "libwayland-cursor.so.0") == ""
    assert complaint(desktop, "libxcb-cursor.so.0") == ""
    assert "libwayland-cursor0" in complaint(desktop, "libwayland-cursor.so.0", "libxcb-cursor.so.0")
    assert "libwayland-egl1" in complaint({"XDG_SESSION_TYPE": "wayland"}, "libwayland-egl.so.1")


def test_without_a_display_the_command_line_is_named() -> None:
    assert "dpwizard --help" in complaint({})
    assert complaint({"QT_QPA_PLATFORM": "offscreen"}) == ""


def test_the_command_says_it_in_one_sentence_and_the_language_spoken(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(system_libraries, "can_load", lambda library: library != "libGL.so.1")
    for language, words in (("en", "the window needs"), ("de", "das Fenster braucht")):
        assert main.main(["--language", language]) == 2
        said = capsys.readouterr().err
        assert said.startswith("dpwizard: ")
        assert words in said
        assert "libgl1" in said
        assert said.count("\n") == 1


def test_the_lists_are_those_that_qt_names() -> None:
    qt = {
        name
        for part in ("Core", "Gui", "Widgets", "Svg", "PrintSupport", "DBus")
        for name in named_in(FOLDER / "Qt" / "lib" / f"libQt6{part}.so.6")
    }
    assert qt == set(QT)
    for platform, parts in {"xcb": ["libQt6XcbQpa.so.6"], "wayland": ["libQt6WaylandClient.so.6"]}.items():
        plugin = FOLDER / "Qt" / "plugins" / "platforms" / f"libq{platform}.so"
        libraries = [plugin, *(FOLDER / "Qt" / "lib" / part for part in parts)]
        named = {name for library in libraries for name in named_in(library)} - qt
        assert named <= set(PLATFORMS[platform])
        assert set(PLATFORMS[platform]) - named <= {"libwayland-egl.so.1"}  # its plug-in for OpenGL names that one
