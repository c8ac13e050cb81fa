"""The catalogue on disk, so a window can show its menus before the engine has started."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

from coterie.core.catalogue.descriptors import Catalogue
from coterie.core.catalogue.discovery import catalogue_stamp


class CatalogueCache:
    """One JSON file that is believed only while nothing about the plugins has changed."""

    def __init__(
        self, file: Path, folders: Sequence[Path] = (), *, safe_mode: bool = False
    ) -> None:
        self._file = file
        self._stamp = catalogue_stamp(folders, safe_mode=safe_mode)

    def read(self) -> Catalogue | None:
        """Return the catalogue, or None if there is none that is up to date."""
        try:
            kept = json.loads(self._file.read_text(encoding="utf-8"))
            if kept["stamp"] != self._stamp:
                return None
            return Catalogue.from_json(kept["catalogue"])
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def write(self, catalogue: Catalogue) -> None:
        """Keep the catalogue; failing to is harmless."""
        text = json.dumps({"stamp": self._stamp, "catalogue": catalogue.as_json()})
        write_quietly(self._file, text)


def write_quietly(file: Path, text: str) -> None:
    """Write a file that can be made again, whole or not at all."""
    temporary = file.with_suffix(f".{os.getpid()}.tmp")
    try:
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(file)
    except OSError:
        temporary.unlink(missing_ok=True)
