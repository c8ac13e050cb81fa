"""What a file most likely holds, by how it begins."""

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_digits

from coterie.core import Context
from coterie.core.formats.files.tabular import TablePreview
from coterie.plugins.readers.csv import CSV
from coterie.projects.recipe.guess_content import (
    COUNTS,
    IMAGES,
    LOOKED_INTO,
    RUNS,
    SCENE,
    TEXTS,
    WORDS,
    likely_content,
)

PROSE = "All people are equal before the law and nobody may be discriminated against number "
DATA = Path(os.environ.get("COTERIE_DATA", Path(__file__).parents[4] / "shared" / "data"))


def looked(path: Path) -> TablePreview:
    return CSV().preview(path, params=CSV.Params(), context=Context())


def table(tmp_path: Path, text: str) -> TablePreview:
    path = tmp_path / "table.csv"
    path.write_text(text, encoding="utf-8")
    return looked(path)


def test_one_long_text_in_each_row_is_read_as_texts_with_their_names(tmp_path: Path) -> None:
    rows = "".join(f"{i},{PROSE * 3}{i},{'ab'[i % 2]}\n" for i in range(30))
    likely = likely_content(table(tmp_path, f"article,text,label\n{rows}"))
    assert likely is not None
    assert (likely.reader, likely.kernel) == (TEXTS, WORDS)
    assert likely.params == {"text": "text", "items": "article"}
    assert "'text'" in likely.why


def test_a_sheet_of_texts_is_read_as_texts_but_one_of_pixels_stays_a_table(tmp_path: Path) -> None:
    rows = "".join(f"{i},{PROSE * 3}{i},{'ab'[i % 2]}\n" for i in range(30))
    texts = table(tmp_path, f"article,text,label\n{rows}")
    pixels = table(tmp_path, digits([f"p{i}" for i in range(64)]))
    likely = likely_content(replace(texts, guessed={"sheet": "Letters"}))
    assert likely is not None
    assert likely.reader == TEXTS
    assert likely_content(replace(pixels, guessed={"sheet": "Digits"})) is None
    assert "reader/excel" in LOOKED_INTO


def test_titles_are_their_own_names_and_compared_by_letters(tmp_path: Path) -> None:
    rows = "".join(f"{i},Learning in networks of size {i}\n" for i in range(30))
    likely = likely_content(table(tmp_path, f"doc,title\n{rows}"))
    assert likely is not None
    assert likely.kernel == RUNS
    assert likely.params == {"text": "title", "items": "title"}


@pytest.mark.parametrize(
    "text",
    [
        "name,height,weight\n" + "".join(f"Anna {i},{150 + i}.5,{50 + i}.25\n" for i in range(20)),
        "comment,class\n" + "the very same remark again and again,a\n" * 20,
        "a,b\n" + "".join(f"{i},{i * 2}\n" for i in range(20)),
    ],
)
def test_a_table_of_numbers_or_of_repeated_words_stays_one(tmp_path: Path, text: str) -> None:
    assert likely_content(table(tmp_path, text)) is None


def digits(head: list[str]) -> str:
    rows = [",".join(f"{value:g}" for value in row) for row in load_digits().data[:40]]
    return "\n".join([",".join(head), *rows])


def test_pixels_are_pictures_when_their_columns_are_numbered(tmp_path: Path) -> None:
    likely = likely_content(table(tmp_path, digits([f"p{i}" for i in range(64)])))
    assert likely is not None
    assert likely.reader == IMAGES
    assert likely.params == {"height": 8, "width": 8}
    names = [f"gene {'abcdefgh'[i % 8]}{'abcdefgh'[i // 8]}" for i in range(64)]
    assert likely_content(table(tmp_path, digits(names))) is None


def test_pixels_with_decimal_commas_are_pictures_too(tmp_path: Path) -> None:
    rows = [";".join(f"{v:.1f}".replace(".", ",") for v in r) for r in load_digits().data[:40]]
    text = "\n".join([";".join(f"p{i}" for i in range(64)), *rows])
    likely = likely_content(table(tmp_path, text))
    assert likely is not None
    assert likely.params == {"height": 8, "width": 8}


def test_noise_is_no_picture(tmp_path: Path) -> None:
    values = np.random.default_rng(0).normal(size=(20, 64))
    rows = "\n".join(",".join(f"{v:.3f}" for v in row) for row in values)
    head = ",".join(f"x{i}" for i in range(64))
    assert likely_content(table(tmp_path, f"{head}\n{rows}\n")) is None


def arrays(**sizes: str) -> TablePreview:
    rows = tuple(sizes.items())
    return TablePreview(("Array", "Size"), rows, named=False, problem="It holds several arrays.")


def test_a_cube_with_few_bands_is_a_scene_and_what_may_be_its_mask_is_said() -> None:
    likely = likely_content(arrays(img="512 × 400 × 6", msk="512 × 400 × 1", bands="6", a=""))
    assert likely is not None
    assert likely.reader == SCENE
    assert likely.params == {"array": "img"}
    assert "512 × 400 pixels in 6 bands. 'msk' may be the mask" in likely.why


@pytest.mark.parametrize(
    "sizes",
    [
        {"x_train": "60000 × 28 × 28", "y_train": "60000"},
        {"faces": "20 × 64 × 64", "names": "20"},
        {"big": "400 × 3", "small": "30 × 3"},
        {"n": "one number", "m": ""},
    ],
)
def test_stacks_of_pictures_and_matrices_are_no_scene(sizes: dict[str, str]) -> None:
    assert likely_content(arrays(**sizes)) is None


@pytest.mark.parametrize("rows", ["", "north\nsouth\n", "north,1 × x\nsouth,²\n", "a,1\nb,2\n"])
def test_a_table_about_arrays_is_a_table(tmp_path: Path, rows: str) -> None:
    assert likely_content(table(tmp_path, f"Array,Size\n{rows}")) is None
    named = TablePreview(("Array", "Size"), tuple((row,) for row in rows.split()))
    assert likely_content(named) is None


@pytest.mark.realdata
@pytest.mark.parametrize(
    ("name", "reader"),
    [
        ("swiss_constitution.csv.gz", TEXTS),
        ("nips_titles.csv.gz", TEXTS),
        ("frey_faces.csv.gz", IMAGES),
        ("usps.csv.gz", IMAGES),
        ("satimage.csv", ""),
        ("glass.csv", ""),
        ("barro_lee_2010_25plus.csv", ""),
        ("ionosphere.csv", ""),
    ],
)
def test_real_tables_are_known_for_what_they_are(name: str, reader: str) -> None:
    if not (DATA / name).exists():
        pytest.skip("the real data are not here")
    likely = likely_content(looked(DATA / name))
    assert (likely.reader if likely is not None else "") == reader


def test_counts_of_words_are_read_as_such_and_other_threes_of_numbers_are_not(
    tmp_path: Path,
) -> None:
    rows = "".join(f"{1 + i // 7},{1 + i % 7 * 3},{i % 5 + 1}\n" for i in range(60))
    likely = likely_content(table(tmp_path, f"doc,word,count\n{rows}"))
    assert likely is not None
    assert likely.reader == COUNTS
    assert "'count' of one 'word' in one 'doc'" in likely.why
    assert likely_content(table(tmp_path, f"length,width,count\n{rows}")) is None
    each = "".join(f"{i},{i % 7},{i % 5}\n" for i in range(60))
    assert likely_content(table(tmp_path, f"doc,word,count\n{each}")) is None
    assert likely_content(table(tmp_path, f"doc,word,count\n1,1,9\n{rows}")) is None
