"""What a file most likely holds, by how it begins: numbers, texts, counts, pictures, or a scene.

A table is read as numbers unless that would leave out nearly all that is written in it. The window
and the command line both decide here, and both say what they decided and why.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np

from coterie.core import well_known
from coterie.core.formats.files.tabular import TablePreview
from coterie.core.model.arrays import Floats
from coterie.core.numerics.features.picture_sizes import likely_size

TABLE = well_known.READER_CSV
SHEET = well_known.READER_EXCEL
TEXTS = well_known.READER_TEXTS
IMAGES = well_known.READER_IMAGES
COUNTS = well_known.READER_TRIPLETS
ARRAYS = well_known.READER_NUMPY
SCENE = well_known.READER_RASTER
LOOKED_INTO = (TABLE, SHEET, ARRAYS)  # the readers of files that may hold something else
# Endings that two readers know: what to try when the usual one cannot read the file.
OTHERWISE = {".tab": TABLE}
WORDS = well_known.KERNEL_BAG_OF_WORDS
RUNS = well_known.KERNEL_SPECTRUM
MOST = 0.5  # of the characters of a row are in the column of texts
WORDS_OF_A_TEXT = 4  # on average; a name has fewer
WORDS_TO_SHARE = 12  # on average; shorter ones, such as titles, often share no word with any other
FEATURES_BESIDE = 3  # columns beside a short text that still leave it the point of the table
UNUSED = ("left out", "information", "items")  # roles of columns that do not describe the items
LETTERS_OF_A_STRING = 20  # of a sequence without spaces, such as that of a protein
LONGEST_NAME = 160  # characters of a cell that can name an item
DISTINCT = 0.9  # share of the names that only one item has
MOST_BANDS = 500
BANDS_TO_SIDE = 4  # a picture has at least so many times as many rows and columns as bands
_COUNTED = re.compile(r"(word|term|token|feature|column)s?(_?(id|number))?", re.IGNORECASE)
_AMOUNT = re.compile(r"counts?|frequency|freq|tf|times|n|values?|weights?", re.IGNORECASE)
_PIXELS = re.compile(r"(?:[a-z]{0,8}[ _.-]?)?\d+|\d+[x_,]\d+", re.IGNORECASE)


@dataclass(frozen=True)
class Likely:
    """How a file is better read than as a table of numbers.

    Attributes
    ----------
    reader : the reader, with its `params`
    why : what was decided, and by what, in a sentence
    kernel : what relates the items; empty for the usual one
    """

    reader: str
    params: Mapping[str, Any] = field(default_factory=dict)
    why: str = ""
    kernel: str = ""


def likely_content(preview: TablePreview) -> Likely | None:
    """Return how a file is better read than as a table of numbers, or None when it is one.

    >>> rows = (("1", "All are equal by law. " * 9), ("2", "All have a right. " * 9))
    >>> table = TablePreview(("article", "text"), rows, ("feature", "left out"))
    >>> likely_content(table).params
    {'text': 'text', 'items': 'article'}
    """
    return _scene(preview) or _texts(preview) or _counts(preview) or _pictures(preview)


def otherwise(name: str) -> str:
    """Return the reader to try for a file that the usual one for its ending cannot read.

    >>> otherwise("heart.tab"), otherwise("heart.csv")
    ('reader/csv', '')
    """
    found = (reader for ending, reader in OTHERWISE.items() if name.lower().endswith(ending))
    return next(found, "")


def naming_column(preview: TablePreview, but: Collection[str] = ()) -> str:
    """Return a column that would be left out but could name the items, or nothing.

    It has another text in every row; rows without names say little in a ranking. Columns in `but`
    were left out by a person.

    >>> rows = (("Chad", "1.5"), ("Fiji", "9.7"))
    >>> naming_column(TablePreview(("country", "years"), rows, ("left out", "feature")))
    'country'
    """
    for name, cells in _left_out(preview, "items", but):
        if 1 < len(set(cells) - {""}) == len(cells):
            return name
    return ""


def class_column(preview: TablePreview, but: Collection[str] = ()) -> str:
    """Return a column that would be left out but could hold known classes, or nothing.

    It has a few texts that come again and again.
    """
    for name, cells in _left_out(preview, "truth", but):
        if 1 < len(set(cells) - {""}) <= len(cells) / 3:
            return name
    return ""


def _left_out(
    preview: TablePreview, role: str, but: Collection[str]
) -> Iterator[tuple[str, list[str]]]:
    """Columns of texts that the reader leaves out automatically, while nothing has the role yet."""
    if role in preview.roles or not preview.named:
        return
    for j, (name, own) in enumerate(zip(preview.columns, preview.roles, strict=False)):
        if own == "left out" and name not in but:
            yield name, [row[j] if j < len(row) else "" for row in preview.rows]


def pixels_of(preview: TablePreview) -> Floats | None:
    """Return the numbers of the first rows, items × columns; None when some are missing."""
    numeric = [j for j, role in enumerate(preview.roles) if role == "feature"]
    mark = str(preview.guessed.get("decimal", "."))
    try:
        rows = [[float(row[j].replace(mark, ".")) for j in numeric] for row in preview.rows]
        values = np.array(rows, dtype=np.float64)
    except (ValueError, IndexError):  # a missing cell, another notation, a row that is too short
        return None
    return values if values.size and np.isfinite(values).all() else None


def _texts(preview: TablePreview) -> Likely | None:
    cells = {
        name: [row[j] for row in preview.rows if j < len(row)]
        for j, name in enumerate(preview.columns)
    }
    letters = {name: sum(map(len, of)) for name, of in cells.items()}
    everything = sum(letters.values())
    unused = [n for n, r in zip(preview.columns, preview.roles, strict=False) if r in UNUSED]
    if not unused or not preview.named or not everything:
        return None
    name = max(unused, key=letters.__getitem__)
    share = letters[name] / everything
    texts = [cell for cell in cells[name] if cell]
    words = sum(len(text.split()) for text in texts) / max(1, len(texts))
    is_text = words >= WORDS_OF_A_TEXT or letters[name] >= LETTERS_OF_A_STRING * len(texts)
    if share < MOST or not is_text or 2 * len(set(texts)) < len(texts):
        return None
    if words < WORDS_TO_SHARE and preview.roles.count("feature") > FEATURES_BESIDE:
        return None  # a table whose items have long names
    by_words = words >= WORDS_TO_SHARE
    params = {"text": name}
    said = [
        f"Read as texts: column '{name}' holds {share:.0%} of the characters in the first rows. "
        f"Texts are compared by the {'words' if by_words else 'runs of letters'} they share."
    ]
    if title := _title(preview, cells):
        params["items"] = title
        said.append(
            "Each text is its own name."
            if title == name
            else f"Column '{title}' holds their names."
        )
    return Likely(TEXTS, params, " ".join(said), WORDS if by_words else RUNS)


def _title(preview: TablePreview, cells: Mapping[str, Sequence[str]]) -> str:
    """The column that names the texts; words rather than numbers."""
    roles = dict(zip(preview.columns, preview.roles, strict=False))
    in_words = [name for name, role in roles.items() if role in UNUSED]
    in_numbers = [name for name, role in roles.items() if role == "feature"]
    for name in (*in_words, *in_numbers):
        of = cells[name]
        short = all(0 < len(cell) <= LONGEST_NAME for cell in of)
        whole = name in in_words or all(cell.isdigit() for cell in of)
        if short and whole and len(set(of)) >= DISTINCT * len(of):
            return name
    return ""


def _counts(preview: TablePreview) -> Likely | None:
    """Counts of words in documents, one to a line, when numbers and names of columns say so."""
    if len(preview.columns) != 3 or "sheet" in preview.guessed:
        return None
    document, word, amount = preview.columns
    pairs = [row[:2] for row in preview.rows]
    numbered = all(len(pair) == 2 and pair[0].isdigit() and pair[1].isdigit() for pair in pairs)
    if not (_COUNTED.fullmatch(word) and _AMOUNT.fullmatch(amount) and numbered):
        return None
    if len(set(pairs)) < len(pairs) or len({pair[0] for pair in pairs}) == len(pairs):
        return None  # a cell named twice, or one line for each item: a table after all
    return Likely(
        COUNTS,
        {},
        f"Read as counts: each line has the '{amount}' of one '{word}' in one "
        f"'{document}', both given as numbers. Files in the same folder can give their "
        "names: 'titles' and 'vocabulary'.",
    )


def _pictures(preview: TablePreview) -> Likely | None:
    """Pictures, when all numbers are called like pixels and one size is clearly the right one."""
    if "sheet" in preview.guessed:  # nothing reads pictures from a spreadsheet
        return None
    numeric = [n for n, r in zip(preview.columns, preview.roles, strict=False) if r == "feature"]
    if not all(_PIXELS.fullmatch(name) or name.startswith("column ") for name in numeric):
        return None
    pixels = pixels_of(preview)
    size = likely_size(pixels) if pixels is not None else None
    if size is None:
        return None
    height, width = size
    return Likely(
        IMAGES,
        {"height": height, "width": width},
        f"Read as pictures of {height} × {width} pixels: each pixel is most similar to the one "
        f"{width} columns further on, which is below it in a picture of that width.",
    )


def _scene(preview: TablePreview) -> Likely | None:
    """A scene, when the largest array of a file is a cube with few bands as its last axis."""
    # A list of arrays, which cannot be read yet, and not a table that has such columns.
    if preview.columns != ("Array", "Size") or not preview.problem or not preview.rows:
        return None
    sizes = {
        row[0]: tuple(int(part) for part in row[1].split(" × ") if part.isdigit())
        for row in preview.rows
    }
    largest = max(sizes, key=lambda name: prod(sizes[name]))
    if len(sizes[largest]) != 3:
        return None
    height, width, bands = sizes[largest]
    if bands > MOST_BANDS or min(height, width) < BANDS_TO_SIDE * bands:
        return None
    pixels = (height, width)
    masks = [name for name, size in sizes.items() if size in (pixels, (*pixels, 1))]
    why = f"Read as a scene: '{largest}' has {height:,} × {width:,} pixels in {bands} bands."
    if masks:
        why += f" {' or '.join(repr(name) for name in masks)} may be the mask with known classes."
    return Likely(SCENE, {"array": largest}, why)
