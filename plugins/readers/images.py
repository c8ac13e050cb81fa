"""Read small pictures: a folder of them, or a matrix with the pixels of one in each row."""

from __future__ import annotations

from dataclasses import replace
from math import isqrt
from pathlib import Path
from typing import Literal

import numpy as np

from coterie.core import Array, Context, DataError, Dataset, Field, Reader
from coterie.core.formats.files.delimited import find_format, read_columns
from coterie.core.formats.files.previewing import LOOKED_AT, preview_text_table
from coterie.core.formats.files.saved_arrays import load_array
from coterie.core.formats.files.tabular import (
    TablePreview,
    classes_of,
    table_dataset,
    title_of,
    truth_by_name,
)
from coterie.core.numerics.features.picture_sizes import picture_sizes
from coterie.core.numerics.features.pictures import (
    PICTURES,
    picture_size,
    read_picture,
    thumbnails_of,
)

MOST_PIXELS = 128 * 128  # more are not a small picture, unless the person asks for them
NAMED = 2  # sizes that a message proposes
GREY = np.array([0.299, 0.587, 0.114])  # how bright red, green and blue look


class Images(Reader):
    """Small pictures, one per item; their pixels, row by row, are the features.

    A folder of PNG, JPEG, TIFF, BMP or GIF pictures of one size, or brought to one; pictures in
    folders of their own have those as known classes. Or a text table or .npy with the pixels of
    one picture in each row. Thumbnails are kept for showing.
    """

    id, title = "images", "Small pictures"
    extensions = (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz", ".npy")
    default_for = ()

    class Params(Reader.Params):
        """The size of the pictures."""

        height: int = Field(
            0,
            ge=0,
            le=4096,
            description="Height of each picture; 0: unchanged, or the side of a square.",
            json_schema_extra={"unit": "pixels"},
        )
        width: int = Field(
            0,
            ge=0,
            le=4096,
            description="Width of each picture; 0: unchanged, or the side of a square.",
            json_schema_extra={"unit": "pixels"},
        )
        colour: Literal["grey", "colour"] = Field(
            "grey",
            description="Whether pictures of a folder are converted to grey or keep their colours.",
        )

    def compute(self, path: str | Path, *, params: Params, context: Context) -> Dataset:
        """Return the pictures in the folder, or the matrix, at `path`."""
        path = Path(path)
        context.check()
        _require_both_sides(params)
        if path.is_dir():
            return _folder(path, params, context)
        return _matrix(path, params, context)

    def preview(self, path: str | Path, *, params: Params, context: Context) -> TablePreview | None:
        """Return the first lines of a text table; a folder or an array has none."""
        path = Path(path)
        if path.is_dir() or path.suffix.lower() == ".npy":
            return None
        form = find_format(path, check=context.check, most=LOOKED_AT)
        table = preview_text_table(path, form, truth=params.truth, items=params.items)
        _require_both_sides(params)
        _shape(path, table.roles.count("feature"), params)
        return table


def _require_both_sides(params: Images.Params) -> None:
    if bool(params.height) != bool(params.width):
        raise DataError(
            "Give both the height and the width of the pictures, or neither.",
            code="invalid-parameters",
        )


def _folder(path: Path, params: Images.Params, context: Context) -> Dataset:
    if params.truth or params.items:
        raise DataError(
            "The pictures of a folder have no columns. Leave 'truth' and 'items' empty: classes "
            "come from folders, names from files.",
            code="invalid-parameters",
        )
    files = sorted(file for file in path.rglob("*") if file.suffix.lower() in PICTURES)
    if not files:
        raise DataError(
            f"The folder '{path.name}' holds no pictures ({', '.join(PICTURES)}).",
            code="no-pictures",
        )
    size = (params.height, params.width)
    if not params.height:
        size = picture_size(files[0])
        for file in files:
            context.check()
            if (other := picture_size(file)) != size:
                raise DataError(
                    f"'{file.name}' is {other[0]} × {other[1]} pixels, '{files[0].name}' "
                    f"{size[0]} × {size[1]}. Give 'height' and 'width' to bring all to one size.",
                    code="picture-size-mismatch",
                )
        if size[0] * size[1] > MOST_PIXELS:
            raise DataError(
                f"The pictures are large ({size[0]} × {size[1]} pixels). Give 'height' and "
                "'width', such as 32 × 32, to make them small, or open one as a raster.",
                code="picture-too-large",
            )
    coloured = params.colour == "colour"
    shape = (*size, 3) if coloured else size
    pixels = np.empty((len(files), int(np.prod(shape))))
    for i, file in enumerate(files):
        context.progress(i, len(files), "reading")
        picture = read_picture(file, size) / 255.0
        pixels[i] = (picture if coloured else picture @ GREY).ravel()
    inner = [file.relative_to(path) for file in files]
    folders = ["/".join(place.parts[:-1]) for place in inner]
    truth, truth_names = classes_of(folders) if any(folders) else (None, ())
    return Dataset(
        title=path.name,
        kind="images",
        features=pixels,
        items=tuple(place.as_posix() for place in inner),
        truth=truth,
        truth_names=truth_names,
        truth_column="folder" if truth is not None else "",
        thumbnails=thumbnails_of(pixels, shape),
        details={"height": size[0], "width": size[1]},
    )


def _matrix(path: Path, params: Images.Params, context: Context) -> Dataset:
    if path.suffix.lower() == ".npy":
        stack = _stack(path)
        flat = stack.reshape(len(stack), -1)
        table = Dataset(title=title_of(path), features=flat)
        shape = tuple(stack.shape[1:]) if stack.ndim > 2 else ()
    else:
        form = find_format(path, check=context.check)

        def kept(names: list[str]) -> set[str]:
            return {params.truth or truth_by_name(names), params.items} - {""}

        columns = read_columns(path, form, keep=kept, check=context.check)
        table = table_dataset(
            path,
            columns,
            truth=params.truth,
            items=params.items,
            notes=form.in_words(),
            guessed=form.guessed,
        )
        shape = ()
    pixels = table.dense_features()
    notes = list(table.notes)
    if not shape:
        shape = _shape(path, pixels.shape[1], params)
        if not params.height:
            notes.append(f"Guessed: pictures of {shape[0]} × {shape[1]} pixels, the only square.")
    return replace(
        table,
        kind="images",
        thumbnails=thumbnails_of(pixels, shape),
        notes=tuple(notes),
        details={**table.details, "height": shape[0], "width": shape[1]},
    )


def _stack(path: Path) -> Array:
    """Pictures saved by numpy: n × height × width, with or without colours, or rows of pixels."""
    stack = load_array(path)
    if stack.dtype.kind not in "biuf" or stack.ndim not in (2, 3, 4) or not stack.size:
        size = " × ".join(map(str, stack.shape))
        raise DataError(
            f"Pictures must be numbers, items × height × width. '{path.name}' is {size} of "
            f"{stack.dtype}.",
            code="wrong-shape",
        )
    if stack.ndim == 4 and stack.shape[3] != 3:
        raise DataError(
            f"The pictures in '{path.name}' have {stack.shape[3]} colours. Keep red, green, blue.",
            code="wrong-shape",
        )
    return stack


def _shape(path: Path, d: int, params: Images.Params) -> tuple[int, ...]:
    """Height and width of the pictures, and 3 when each pixel has three colours."""
    if params.height:
        count = params.height * params.width
        if d == count:
            return params.height, params.width
        if d == 3 * count:
            return params.height, params.width, 3
        raise DataError(
            f"Each row of '{path.name}' has {d} pixels, but {params.height} × {params.width} are "
            f"{count}. Correct the height or the width.",
            code="picture-size-mismatch",
        )
    side = isqrt(d)
    if side * side != d or d < 4:
        sizes = " or ".join(f"{h} × {w}" for h, w in picture_sizes(d)[:NAMED])
        raise DataError(
            f"Each row of '{path.name}' has {d} pixels, which is not a square number. "
            f"Give 'height' and 'width'{f', such as {sizes}' if sizes else ''}.",
            code="picture-size-needed",
        )
    return side, side
