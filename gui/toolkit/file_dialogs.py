"""Asks for the name of a file, starting in the last folder, with the right extension."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import QSettings, QStandardPaths
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

_KEY = "folder"


def usual_folder() -> Path:
    """Return the folder to look in first: the one used last, as long as it is there."""
    stored = str(QSettings().value(_KEY) or "")
    if stored and Path(stored).is_dir():
        return Path(stored)
    documents = QStandardPaths.StandardLocation.DocumentsLocation
    return Path(QStandardPaths.writableLocation(documents) or Path.home())


def remember_folder(path: Path) -> None:
    """Look in the folder of this file first, the next time."""
    QSettings().setValue(_KEY, str(path.absolute().parent))


def ask_target(
    parent: QWidget, title: str, start: str | Path, kinds: str
) -> tuple[Path, str] | None:
    """Ask for a file to write; return it with the kind that was chosen, or None.

    Parameters
    ----------
    start : a name in the usual folder, or a whole path
    kinds : as Qt writes them, such as "PNG (*.png);;SVG (*.svg)"
    """
    chosen, kind = QFileDialog.getSaveFileName(parent, title, str(usual_folder() / start), kinds)
    if not chosen:
        return None
    typed = Path(chosen)
    path = with_ending_of(typed, kind, kinds)
    # Qt has asked about the name that was typed, not about the one with its ending.
    if path != typed and path.exists() and not _may_replace(parent, path):
        return None
    remember_folder(path)
    return path, kind


def with_ending_of(path: Path, kind: str, kinds: str) -> Path:
    """Return the path with the ending of the chosen kind, unless it has that of one of the kinds.

    >>> kinds = "PNG (*.png);;SVG (*.svg)"
    >>> [with_ending_of(Path(p), "SVG (*.svg)", kinds).name for p in ("a", "a.v2", "a.PNG")]
    ['a.svg', 'a.v2.svg', 'a.PNG']
    >>> with_ending_of(Path("work.h5"), "", "Projects (*.coterie.h5)").name
    'work.coterie.h5'
    """
    endings = _endings(kinds)
    if not endings or path.name.lower().endswith(tuple(endings)):
        return path
    ending, name = (_endings(kind) or endings)[0], path.name
    for part in reversed(ending.split(".")):  # whatever of it was typed
        name = name.removesuffix(f".{part}")
    return path.with_name(name + ending)


def _endings(kinds: str) -> list[str]:
    return [ending.lower() for ending in re.findall(r"\*(\.[\w.]+)", kinds)]


def _may_replace(parent: QWidget, path: Path) -> bool:
    buttons = QMessageBox.StandardButton
    text = f"“{path.name}” already exists. Replace it?"
    return QMessageBox.question(parent, "Replace file", text) == buttons.Yes
