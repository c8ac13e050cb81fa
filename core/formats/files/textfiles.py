"""Opening text of unknown origin: compressed or not, in whatever encoding, or not text at all."""

from __future__ import annotations

import codecs
import gzip
import io
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TextIO, cast

from coterie.core.errors import DataError, no_file

GZIP_MAGIC = b"\x1f\x8b"
BLOCK = 1 << 20
# Bytes that no text has: the control characters but tab, line feed, form feed and return.
NOT_TEXT = bytes(set(range(32)) - {9, 10, 12, 13, 27})


@contextmanager
def open_bytes(path: Path) -> Iterator[BinaryIO]:
    """Open a file for reading, unfolding it when it is compressed; one sentence when it cannot."""
    try:
        with path.open("rb") as raw:
            compressed = raw.read(2) == GZIP_MAGIC
            raw.seek(0)
            if compressed:
                with gzip.GzipFile(fileobj=raw) as unfolded:
                    yield cast(BinaryIO, unfolded)  # it is one in all but its declared type
            else:
                yield raw
    except FileNotFoundError:
        raise no_file(path) from None
    except IsADirectoryError:
        raise DataError(f"'{path}' is a folder. Choose a file in it.", code="is-a-folder") from None
    except PermissionError:
        raise DataError(
            f"'{path}' cannot be read: you do not have permission.", code="file-not-readable"
        ) from None
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise DataError(
            f"The compressed file '{path.name}' is damaged ({error}). Download it again.",
            code="file-damaged",
        ) from None


@contextmanager
def open_text(path: Path, encoding: str) -> Iterator[TextIO]:
    """Open a file as text in `encoding`; one sentence when that does not fit."""
    try:
        io.TextIOWrapper(io.BytesIO(), encoding=encoding)  # knows names, and which are of texts
    except (LookupError, ValueError):
        raise DataError(
            f"'{encoding}' is not an encoding. Try utf-8, cp1252, latin-1 or utf-16.",
            code="wrong-encoding",
        ) from None
    with open_bytes(path) as stream:
        text = io.TextIOWrapper(stream, encoding=encoding, newline="")
        try:
            yield text
        except UnicodeDecodeError as error:
            raise DataError(
                f"'{path.name}' is not written in {encoding} ({error.reason}). "
                "Choose another encoding, or 'auto'.",
                code="wrong-encoding",
            ) from None
        finally:
            text.detach()


def find_encoding(
    path: Path, *, check: Callable[[], None] | None = None, most: int | None = None
) -> str:
    """Return the encoding of a text file, or raise a clear error when it is not text.

    A byte order mark decides; without one it is UTF-8 if the whole file is, and otherwise cp1252
    (Western European Windows) or, where that has no such character, latin-1. With `most`, only so
    many bytes are looked at, or a few more.
    """
    with open_bytes(path) as stream:
        first = stream.read(BLOCK)
        if first.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            return "utf-16"
        if first.startswith(codecs.BOM_UTF8):
            return "utf-8-sig"
        if first.translate(None, NOT_TEXT) != first:
            raise DataError(
                f"'{path.name}' is not text but binary data. Choose the reader for its format, "
                "or export it as CSV.",
                code="not-text",
            )
        possible = {name: codecs.getincrementaldecoder(name)() for name in ("utf-8", "cp1252")}
        block, looked_at = first, len(first)
        while possible:
            if check is not None:
                check()
            for name, decoder in list(possible.items()):
                # Most files are ASCII, which is the same in both; nothing may be left half-read.
                if block.isascii() and block and not decoder.getstate()[0]:
                    continue
                try:
                    decoder.decode(block, final=not block)
                except UnicodeDecodeError:
                    del possible[name]
            if not block or (most is not None and looked_at >= most):
                break
            block = stream.read(BLOCK)
            looked_at += len(block)
    return next(iter(possible), "latin-1")


def beside(path: Path, name: str) -> Path:
    """Return the file `name` in the folder of `path`, where companion files must be.

    A project is asked about before it reads files outside its folder; a parameter may not lead
    around that question.
    """
    if Path(name).name != name:
        raise DataError(
            f"'{name}' must be a file in the same folder as '{path.name}'. "
            "Move it there, and give only its name.",
            code="outside-folder",
        )
    return path.with_name(name)
