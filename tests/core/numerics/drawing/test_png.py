"""Shapes as pixels, and pixels as files that others read."""

import warnings
from pathlib import Path as File

import numpy as np

from coterie.core.numerics.drawing.letters import strokes_of, width_of
from coterie.core.numerics.drawing.png import as_pixels, as_png, png_bytes
from coterie.core.numerics.drawing.shapes import Box, Dots, Drawing, Path, Picture, Text


def read(content: bytes, folder: File) -> np.ndarray:
    """The pixels, as GDAL reads them."""
    import rasterio

    (folder / "p.png").write_bytes(content)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with rasterio.open(folder / "p.png") as source:
            return np.moveaxis(source.read(), 0, -1)


def drawn(*shapes: object, scale: float = 1.0) -> np.ndarray:
    return as_pixels(Drawing(40, 20, shapes), scale)  # type: ignore[arg-type]


def test_another_program_reads_the_same_pixels(tmp_path: File) -> None:
    pixels = np.random.default_rng(0).integers(0, 256, (7, 5, 3)).astype(np.uint8)
    np.testing.assert_array_equal(read(png_bytes(pixels), tmp_path), pixels)
    drawing = Drawing(40, 20, [Text(2, 15, "Ab"), Dots(np.array([[30.0, 10.0]]), 4, "#0072b2")])
    page = read(as_png(drawing, 2.0), tmp_path)
    assert page.shape == (40, 80, 3)
    assert page[20, 60, 2] > page[20, 60, 0]  # the dot is blue


def test_a_box_fills_its_rectangle_and_nothing_else() -> None:
    page = drawn(Box(10, 5, 4, 3, "#000000"))
    assert (page == 0).all(axis=2).sum() == 12
    assert (page[5:8, 10:14] == 0).all()


def test_a_dot_has_the_area_of_its_circle() -> None:
    for radius in (1.5, 4.0, 6.0):
        page = drawn(Dots(np.array([[20.3, 9.6]]), radius, "#000000", 1.0))
        assert np.isclose(
            (255 - page[..., 0].astype(float)).sum() / 255, np.pi * radius**2, rtol=0.06
        )


def test_a_line_has_its_width_whatever_its_direction() -> None:
    for end in ([30.0, 10.0], [20.0, 16.0], [30.0, 16.0]):
        line = np.array([[10.0, 4.0], end])
        ink = (255 - drawn(Path(line, "#000000", 3.0))[..., 0].astype(float)).sum() / 255
        length = np.hypot(*(line[1] - line[0]))
        assert np.isclose(ink, 3 * length + np.pi * 1.5**2, rtol=0.06)  # round ends


def test_crossing_lines_are_no_darker_and_what_lies_outside_does_no_harm() -> None:
    line = np.array([[5.0, 5.0], [35.0, 5.0], [5.0, 5.0]])
    np.testing.assert_array_equal(
        drawn(Path(line, "#777777", 2.0)), drawn(Path(line[:2], "#777777", 2.0))
    )
    far = np.array([[-50.0, -50.0], [-20.0, 90.0]])
    assert (drawn(Path(far, "#000000"), Dots(far, 3, "#000000")) == 255).all()
    assert drawn(Text(-30, 50, "outside"), Path(far[:0], "#000000")).shape == (20, 40, 3)


def test_a_picture_is_stretched_without_smoothing() -> None:
    pixels = np.array([[[255, 0, 0], [0, 0, 255]]], dtype=np.uint8)
    page = drawn(Picture(0, 0, 40, 20, pixels))
    assert (page[:, :20] == [255, 0, 0]).all()
    assert (page[:, 20:] == [0, 0, 255]).all()


def test_every_letter_differs_and_turned_text_is_turned() -> None:
    letters = [chr(code) for code in range(33, 127)]
    shapes = {letter: str([stroke.tolist() for stroke in strokes_of(letter)]) for letter in letters}
    same = {("0", "O"), ("l", "|")}
    for i, one in enumerate(letters):
        for other in letters[i + 1 :]:
            assert shapes[one] != shapes[other] or (one, other) in same
    assert shapes["e"] == str([stroke.tolist() for stroke in strokes_of("é")])
    assert width_of("") == 0
    page = drawn(Text(20, 10, "I", 16, "middle", turned=True))
    rows, columns = np.nonzero(page[..., 0] < 200)
    assert np.ptp(columns) > np.ptp(rows)
