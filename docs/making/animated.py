"""Small pictures for pages: PNG in 256 colours, and animated PNG, which Qt does not write."""

from __future__ import annotations

import io
from collections.abc import Sequence

import numpy as np
from PIL import Image
from PySide6.QtGui import QImage

MOST_COLOURS = 256
EXACT_COLOURS = 128


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
    palette = _palette(all_of_them)
    return [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]


def _palette(image: Image.Image) -> Image.Image:
    """The commonest colours as they are, and some that cover the rest.

    Without the latter those of few pixels, such as the marks of a legend, would be of others.
    """
    colours, counts = np.unique(np.asarray(image).reshape(-1, 3), axis=0, return_counts=True)
    exact = colours[np.argsort(-counts, kind="stable")[:EXACT_COLOURS]].ravel().tolist()
    coverage = Image.Quantize.MAXCOVERAGE
    rest = image.quantize(MOST_COLOURS - EXACT_COLOURS, method=coverage).getpalette() or []
    palette = Image.new("P", (1, 1))
    palette.putpalette((exact + rest)[: 3 * MOST_COLOURS])
    return palette


def _image(picture: QImage) -> Image.Image:
    rgb = picture.convertToFormat(QImage.Format.Format_RGB888)
    size = (rgb.width(), rgb.height())
    return Image.frombytes("RGB", size, bytes(rgb.constBits()), "raw", "RGB", rgb.bytesPerLine())
