"""Small pictures for pages: PNG in 256 colours, and animated PNG, which Qt does not write."""

from __future__ import annotations

import io
from collections.abc import Sequence

from PIL import Image
from PySide6.QtGui import QImage

MOST_COLOURS = 256


def png(picture: QImage) -> bytes:
    """Return a picture as PNG in at most 256 colours."""
    file = io.BytesIO()
    in_one_palette([picture])[0].save(file, "PNG", optimize=True)
    return file.getvalue()


def apng(pictures: Sequence[QImage], milliseconds: int, last: int = 2000) -> bytes:
    """Return pictures of one size as an animated PNG that runs for ever.

    Parameters
    ----------
    milliseconds : how long each is shown
    last : how long the last is shown
    """
    first, *others = in_one_palette(pictures)
    times = [milliseconds] * len(others) + [last]
    file = io.BytesIO()
    first.save(file, "PNG", save_all=True, append_images=others, duration=times, loop=0)
    return file.getvalue()


def in_one_palette(pictures: Sequence[QImage]) -> list[Image.Image]:
    """Return pictures in the colours that suit all of them, without dither."""
    images = [_image(picture) for picture in pictures]
    width, height = images[0].size
    all_of_them = Image.new("RGB", (width, height * len(images)))
    for number, image in enumerate(images):
        all_of_them.paste(image, (0, number * height))
    # The usual way leaves out colours of few pixels, such as the marks of a legend.
    coverage = Image.Quantize.MAXCOVERAGE
    palette = all_of_them.quantize(MOST_COLOURS, method=coverage, dither=Image.Dither.NONE)
    return [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]


def _image(picture: QImage) -> Image.Image:
    rgb = picture.convertToFormat(QImage.Format.Format_RGB888)
    size = (rgb.width(), rgb.height())
    return Image.frombytes("RGB", size, bytes(rgb.constBits()), "raw", "RGB", rgb.bytesPerLine())
