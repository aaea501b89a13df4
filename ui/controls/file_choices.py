"""Dialogs that ask for a file: they open where the officer's files lie, never in the folder of the program."""

from __future__ import annotations

import os

from PySide6.QtCore import QCoreApplication, QStandardPaths
from PySide6.QtWidgets import QFileDialog, QWidget

LAST = "folder_of_the_last_file"  # a property of the application, which every window and dialog shares


def ask_file(parent: QWidget, title: str, endings: str, typed: str = "") -> str:
    """Ask for a file that is there, first at the place TYPED; return its path, "" for none."""
    path, _ = QFileDialog.getOpenFileName(parent, title, beginning(typed), endings)
    return _taken(path)


def ask_files(parent: QWidget, title: str, endings: str) -> tuple[str, ...]:
    """Ask for files that are there; return their paths."""
    paths, _ = QFileDialog.getOpenFileNames(parent, title, beginning(), endings)
    return tuple(_taken(path) for path in paths)


def ask_place(parent: QWidget, title: str, endings: str, offered: str, *, added_to: bool = False) -> str:
    """Ask where a file is to lie, first at the place OFFERED; return its path, "" for none.

    A file that is there is asked about, unless it is only ADDED TO, or left alone.
    """
    options = QFileDialog.Option.DontConfirmOverwrite if added_to else QFileDialog.Option(0)
    path, _ = QFileDialog.getSaveFileName(parent, title, beginning(offered), endings, options=options)
    return _taken(path)


def ask_folder(parent: QWidget, title: str, typed: str = "") -> str:
    """Ask for a folder, first the one TYPED; return its path, "" for none."""
    path = QFileDialog.getExistingDirectory(parent, title, beginning(typed))
    if path:
        lies_in(path)
    return path


def beginning(place: str = "") -> str:
    """Return where a dialog begins: at PLACE if its folder is there, else with its name where the last file lay."""
    folder, name = os.path.split(place)
    return place if os.path.isabs(place) and os.path.isdir(folder) else os.path.join(_folder(), name)


def lies_in(folder: str) -> None:
    """Note that a file of the officer's lies in FOLDER: the next dialog begins there."""
    app = QCoreApplication.instance()
    if app is not None:
        app.setProperty(LAST, folder)


def _taken(path: str) -> str:
    if path:
        lies_in(os.path.dirname(path))
    return path


def _folder() -> str:
    """Return where the last file lay, else the officer's documents, else the home folder."""
    app = QCoreApplication.instance()
    last = app.property(LAST) if app is not None else None
    documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    return next((one for one in (last, documents) if one and os.path.isdir(one)), os.path.expanduser("~"))
