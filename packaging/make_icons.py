"""Draws the icon `coterie.svg` as PNG in the sizes of the hicolor theme, and as .ico.

`python packaging/make_icons.py FOLDER` leaves FOLDER/48.png and so on. An .icns for macOS is made
of the same PNGs by macOS's own iconutil; there is no writer for it here.
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

DRAWING = (
    Path(__file__).resolve().parent.parent
    / "gui"
    / "toolkit"
    / "styling"
    / "pictures"
    / "coterie.svg"
)
SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)
IN_ICO = (16, 24, 32, 48, 64, 128, 256)


def main() -> int:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    app = QGuiApplication.instance() or QGuiApplication([])
    pictures = {size: draw(size) for size in SIZES}
    for size, picture in pictures.items():
        (folder / f"{size}.png").write_bytes(picture)
    (folder / "coterie.ico").write_bytes(ico({size: pictures[size] for size in IN_ICO}))
    del app
    return 0


def draw(size: int) -> bytes:
    """Return the icon as PNG, `size` pixels high and wide."""
    picture = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    QSvgRenderer(str(DRAWING)).render(painter)
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    picture.save(buffer, "PNG")  # type: ignore[call-overload] # the stub asks for bytes
    return bytes(buffer.data().data())


def ico(pictures: dict[int, bytes]) -> bytes:
    """Join PNGs into an .ico: a header, an entry of 16 bytes for each, the PNGs as they are."""
    entries, offset = b"", 6 + 16 * len(pictures)
    for size, picture in pictures.items():
        shown = size % 256  # 0 stands for 256
        entries += struct.pack("<BBBBHHII", shown, shown, 0, 0, 1, 32, len(picture), offset)
        offset += len(picture)
    return struct.pack("<HHH", 0, 1, len(pictures)) + entries + b"".join(pictures.values())


if __name__ == "__main__":
    sys.exit(main())
