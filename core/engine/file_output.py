"""Files that writers make: written beside their place, which they take when all of it is there."""

from __future__ import annotations

import glob
from collections.abc import Callable
from pathlib import Path
from typing import Any

from coterie.core.catalogue.descriptors import Descriptor
from coterie.core.errors import CoterieError, DataError, PluginError
from coterie.core.io.atomic_write import writing_place


def write_whole(descriptor: Descriptor, target: Path, write: Callable[[Path], Any]) -> None:
    """Have `write` write a file beside `target`, and move it there with what belongs to it."""
    # The same ending: a writer may go by it.
    ending = "".join(target.suffixes)
    stem = target.name.removesuffix(ending)
    beside = writing_place(target, stem)
    beginning = beside.name.removesuffix(ending)
    try:
        write(beside)
        if not beside.exists():
            raise PluginError(
                f"{descriptor.name} wrote no file. Report it to its author ({descriptor.origin}).",
                code="invalid-result",
            )
        # A map has its style and its names beside it.
        for file in _written(beside, beginning):
            file.replace(target.with_name(stem + file.name.removeprefix(beginning)))
    except OSError as error:
        if isinstance(error, CoterieError):
            raise
        why = error.strerror or str(error)
        raise DataError(
            f"'{target}' cannot be written: {why}. Choose another folder.",
            code="file-not-writable",
        ) from error
    finally:
        for file in _written(beside, beginning):
            file.unlink(missing_ok=True)


def _written(file: Path, beginning: str) -> set[Path]:
    """A file and what was written beside it under the same beginning."""
    return {file, *file.parent.glob(f"{glob.escape(beginning)}.*")}
