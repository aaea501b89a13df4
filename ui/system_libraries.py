"""The libraries of the system that the window needs on Linux, and the Debian packages that hold them.

Where one is missing, Qt ends with an error of the loader, or ends the process. So this is asked before Qt is imported.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping

from dpwizard.base.errors import DPWizardError
from dpwizard.base.messages import message

# what Qt's libraries and the plug-in of each platform name in their dynamic sections; tests/ui compares them
QT = (
    "libGL.so.1",
    "libEGL.so.1",
    "libglib-2.0.so.0",
    "libgthread-2.0.so.0",
    "libdbus-1.so.3",
    "libfontconfig.so.1",
    "libfreetype.so.6",
    "libxkbcommon.so.0",
    "libX11.so.6",
    "libz.so.1",
    "libzstd.so.1",
)
PLATFORMS = {
    "xcb": (
        "libX11-xcb.so.1",
        "libxcb.so.1",
        "libxcb-cursor.so.0",
        "libxcb-icccm.so.4",
        "libxcb-image.so.0",
        "libxcb-keysyms.so.1",
        "libxcb-randr.so.0",
        "libxcb-render.so.0",
        "libxcb-render-util.so.0",
        "libxcb-shape.so.0",
        "libxcb-shm.so.0",
        "libxcb-sync.so.1",
        "libxcb-util.so.1",
        "libxcb-xfixes.so.0",
        "libxcb-xkb.so.1",
        "libxkbcommon-x11.so.0",
    ),
    "wayland": ("libwayland-client.so.0", "libwayland-cursor.so.0", "libwayland-egl.so.1"),
}
IRREGULAR = {"libglib-2.0.so.0": "libglib2.0-0", "libgthread-2.0.so.0": "libglib2.0-0", "libz.so.1": "zlib1g"}


def check(environment: Mapping[str, str], loads: Callable[[str], bool] | None = None) -> None:
    """Check that this system can show the window.

    Arguments: environment, the variables of this process; loads, answers whether a library can be loaded (None: asks
    the system). Raises DPWizardError naming the missing libraries with their Debian packages, or that there is no
    display.
    """
    found = loads or can_load
    platforms = asked_platforms(environment)
    missing = [
        [library for library in (*QT, *PLATFORMS.get(platform, ())) if not found(library)] for platform in platforms
    ]
    if not platforms:
        raise DPWizardError(
            message("there is no display to show the window on"),
            "",
            "Start it on a desktop, or use the command line: dpwizard --help.",
        )
    if all(missing):  # Qt tries each platform in turn
        packages = sorted({debian_package(library) for library in missing[0]})
        raise DPWizardError(
            message("the window needs libraries that this system lacks: {libraries}", libraries=", ".join(missing[0])),
            "",
            message(
                "On Debian or Ubuntu, install them with: sudo apt-get install {packages}", packages=" ".join(packages)
            ),
        )


def asked_platforms(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return the platforms of Qt that it tries on Linux, the first one first; none where there is no display."""
    named = environment.get("QT_QPA_PLATFORM", "")
    if named:
        return tuple(platform.partition(":")[0].partition("-")[0] for platform in named.split(";"))
    wayland = bool(environment.get("WAYLAND_DISPLAY")) or environment.get("XDG_SESSION_TYPE") == "wayland"
    found = {"wayland": wayland, "xcb": bool(environment.get("DISPLAY"))}
    return tuple(platform for platform, there in found.items() if there)


def debian_package(library: str) -> str:
    """Return the Debian package that holds a shared library (Debian Policy 8.1 says how it is named after it)."""
    if library in IRREGULAR:
        return IRREGULAR[library]
    name, _, version = library.lower().partition(".so.")
    return f"{name}-{version}" if name[-1].isdigit() else f"{name}{version}"


def can_load(library: str) -> bool:
    """Return whether the system's loader finds a shared library; it then stays loaded, as Qt needs it."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True
