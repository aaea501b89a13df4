"""Dialogs that ask for a file; they open in the folder of the officer's last file."""

from __future__ import annotations

import os

from PySide6.QtCore import QCoreApplication, QStandardPaths
from PySide6.QtWidgets import QFileDialog, QWidget

LAST = "folder_of_the_last_file"  # a property of the application, shared by all its dialogs


def ask_file(parent: QWidget, title: str, endings: str, typed: str = "") -> str:
    """Ask for an existing file, starting at TYPED; return its path, "" for none."""
    path, _ = QFileDialog.getOpenFileName(parent, title, beginning(typed), endings)
    return _remember_folder_of(path)


def ask_files(parent: QWidget, title: str, endings: str) -> tuple[str, ...]:
    """Ask for existing files; return their paths."""
    paths, _ = QFileDialog.getOpenFileNames(parent, title, beginning(), endings)
    return tuple(_remember_folder_of(path) for path in paths)


def ask_place(parent: QWidget, title: str, endings: str, offered: str, *, added_to: bool = False) -> str:
    """Ask where to save a file, starting at OFFERED; return its path, "" for none.

    The dialog confirms that an existing file is replaced, unless it is ADDED_TO.
    """
    options = QFileDialog.Option.DontConfirmOverwrite if added_to else QFileDialog.Option(0)
    path, _ = QFileDialog.getSaveFileName(parent, title, beginning(offered), endings, options=options)
    return _remember_folder_of(path)


def ask_folder(parent: QWidget, title: str, typed: str = "") -> str:
    """Ask for a folder, starting at TYPED; return its path, "" for none."""
    path = QFileDialog.getExistingDirectory(parent, title, beginning(typed))
    if path:
        lies_in(path)
    return path


def beginning(place: str = "") -> str:
    """Return where a dialog starts: at PLACE if its folder exists, else in the last folder with the name of PLACE."""
    folder, name = os.path.split(place)
    return place if os.path.isabs(place) and os.path.isdir(folder) else os.path.join(_last_folder(), name)


def lies_in(folder: str) -> None:
    """Let the next dialog start in FOLDER."""
    app = QCoreApplication.instance()
    if app is not None:
        app.setProperty(LAST, folder)


def _remember_folder_of(path: str) -> str:
    if path:
        lies_in(os.path.dirname(path))
    return path


def _last_folder() -> str:
    """Return the folder of the last file, else the officer's documents, else the home folder."""
    app = QCoreApplication.instance()
    last = app.property(LAST) if app is not None else None
    documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    return next((folder for folder in (last, documents) if folder and os.path.isdir(folder)), os.path.expanduser("~"))
