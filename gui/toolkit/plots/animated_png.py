"""Animated PNG, which browsers and most viewers play and Qt does not write."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from struct import pack, unpack_from

from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QImage

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_HEAD = 8  # bytes of a chunk before its content: length and type
_CHECK = 4  # bytes behind it


def animated_png(pictures: Sequence[QImage], milliseconds: int, last: int = 2000) -> bytes:
    """Return pictures of one size as an animation that runs for ever.

    What cannot play it shows the first picture.

    Parameters
    ----------
    milliseconds : how long each is shown
    last : how long the last is shown
    """
    parts = [_SIGNATURE]
    number = 0
    for at, picture in enumerate(pictures):
        chunks = dict(_chunks(_png(picture)))
        if at == 0:
            parts += [_chunk(b"IHDR", chunks[b"IHDR"])]
            parts += [_chunk(b"acTL", pack(">II", len(pictures), 0))]
        shown = last if at == len(pictures) - 1 else milliseconds
        size = (picture.width(), picture.height(), 0, 0)
        parts += [_chunk(b"fcTL", pack(">IIIIIHHBB", number, *size, shown, 1000, 0, 0))]
        number += 1
        if at == 0:
            parts += [_chunk(b"IDAT", chunks[b"IDAT"])]
        else:
            parts += [_chunk(b"fdAT", pack(">I", number) + chunks[b"IDAT"])]
            number += 1
    return b"".join([*parts, _chunk(b"IEND", b"")])


def _png(picture: QImage) -> bytes:
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    picture.convertToFormat(QImage.Format.Format_RGB888).save(buffer, "PNG")  # type: ignore[call-overload] # wants bytes in its stubs alone
    return bytes(content.data())


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the type and content of each chunk; those of pixels as one."""
    at, pixels = len(_SIGNATURE), []
    while at < len(png):
        (length,) = unpack_from(">I", png, at)
        kind = png[at + 4 : at + _HEAD]
        content = png[at + _HEAD : at + _HEAD + length]
        if kind == b"IDAT":
            pixels.append(content)
        else:
            yield kind, content
        at += _HEAD + length + _CHECK
    yield b"IDAT", b"".join(pixels)


def _chunk(kind: bytes, content: bytes) -> bytes:
    return pack(">I", len(content)) + kind + content + pack(">I", zlib.crc32(kind + content))
