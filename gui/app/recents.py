"""Recently opened files, newest first, stored between starts."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSettings

MOST = 10
_KEY = "recent"


def recent_files() -> list[Path]:
    """Return the files opened lately."""
    stored = QSettings().value(_KEY, [])
    names = [stored] if isinstance(stored, str) else list(stored or [])  # type: ignore[call-overload]
    return [Path(name) for name in names]


def remember(path: Path) -> None:
    """Put a file at the head of the list."""
    path = path.resolve()
    others = [other for other in recent_files() if other != path]
    QSettings().setValue(_KEY, [str(entry) for entry in [path, *others][:MOST]])


def forget_all() -> None:
    """Empty the list."""
    QSettings().remove(_KEY)
