"""What a reader reads, known by the hashes of its bytes rather than by its place."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from coterie.core.api.components import Component, Reader
from coterie.core.api.context import Context
from coterie.core.api.parameters import Params
from coterie.core.catalogue.descriptors import Descriptor
from coterie.core.errors import DataError, no_file
from coterie.core.io.fingerprints import file_hash, fingerprint, stamp


def source_of(
    path: str, descriptor: Descriptor, reader: type[Component], context: Context
) -> dict[str, Any]:
    """Return what is read and the hash of its bytes; a reader without files has only its text."""
    if not descriptor.extensions:
        return {"source": path, "source_sha256": hashlib.sha256(path.encode()).hexdigest()}
    if not path:
        raise DataError("No file was given. Choose one.", code="file-not-found")
    file = Path(path)
    partly = issubclass(reader, Reader) and reader.reads_windows
    try:
        found = fingerprint(file, context.check, partly=partly)
    except FileNotFoundError:
        raise no_file(path) from None
    except OSError as error:
        raise DataError(
            f"'{path}' cannot be read: {error.strerror}.", code="file-not-readable"
        ) from error
    # The name only: a whole path would reveal where this user keeps files.
    known = {"source": file.name, "source_sha256": found.sha256, "source_bytes": found.nbytes}
    return {**known, "source_blocks_sha256": found.blocks} if found.blocks else known


@contextmanager
def unchanged(path: str) -> Iterator[None]:
    """Raise where somebody writes to a file while it is hashed and read; "" for none.

    Half of an old and half of a new table would be taken for one, under the key of either.
    """
    file = Path(path)
    before = stamp(file) if path else ()

    def require_same() -> None:
        if before and stamp(file) != before:
            raise DataError(
                f"'{file.name}' changed while it was being read. Wait until the program that "
                "writes it is done, and open it again.",
                code="file-changed",
            )

    try:
        yield
    except DataError:
        require_same()  # what was wrong in half of a file says nothing
        raise
    require_same()


def companions_of(reader: Component, path: str, params: Params, context: Context) -> dict[str, str]:
    """Return the files that are read beside the first one, each with the hash of its bytes."""
    hashes = {}
    partly = isinstance(reader, Reader) and reader.reads_windows
    files = reader.companions(Path(path), params=params) if isinstance(reader, Reader) else ()
    for file in files:
        try:
            hashes[file.name] = file_hash(file, context.check, partly=partly)
        except OSError as error:
            raise DataError(
                f"'{file}' cannot be read: {error.strerror}.", code="file-not-readable"
            ) from error
    return hashes
