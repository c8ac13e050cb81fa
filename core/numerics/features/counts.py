"""How often each word, or each run of characters, occurs in each text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.arrays import SparseMatrix
from coterie.core.model.dataset import Dataset
from coterie.core.numerics.similarity.tiles import Check

_WORD = re.compile(r"\w+")


def require_texts(data: Dataset) -> tuple[str, ...]:
    """Return the texts of a data set, or say that it has none."""
    if not data.texts:
        raise DataError(
            f"'{data.title}' has no texts. Open a folder of text files, or a table with a column "
            'of texts, read as "Texts" (in a recipe: reader = "texts").',
            code="no-texts",
        )
    return data.texts


def count_words(
    texts: Sequence[str], *, lower_case: bool = True, check: Check | None = None
) -> tuple[SparseMatrix, tuple[str, ...]]:
    """Count the words of each text: runs of letters, digits and underscores.

    Returns
    -------
    counts : (n, m) sparse
    words : m of them, in the order of their characters

    Examples
    --------
    >>> counts, words = count_words(["a rose is a rose", "is it"])
    >>> words
    ('a', 'is', 'it', 'rose')
    >>> counts.toarray().tolist()
    [[2.0, 1.0, 0.0, 2.0], [0.0, 1.0, 1.0, 0.0]]
    """
    found: list[list[str]] = []
    for text in texts:
        if check is not None:
            check()
        found.append(_WORD.findall(text.lower() if lower_case else text))
    words = sorted(set(chain.from_iterable(found)))
    place = {word: j for j, word in enumerate(words)}
    columns = np.fromiter((place[w] for w in chain.from_iterable(found)), dtype=np.int64)
    rows = np.repeat(np.arange(len(texts)), [len(of_text) for of_text in found])
    return _counts(rows, columns, (len(texts), len(words))), tuple(words)


def count_runs(
    texts: Sequence[str], length: int, *, check: Check | None = None
) -> tuple[SparseMatrix, tuple[str, ...]]:
    """Count the runs of `length` consecutive characters (p-mers) of each text.

    Returns
    -------
    counts : (n, m) sparse
    runs : m of them, in the order of their characters

    Examples
    --------
    >>> counts, runs = count_runs(["abab", "b"], 2)
    >>> runs, counts.toarray().tolist()
    (('ab', 'ba'), [[2.0, 1.0], [0.0, 0.0]])
    """
    joined = "".join(texts)
    lengths = np.array([len(text) for text in texts], dtype=np.int64)
    ends = np.cumsum(lengths)
    # A run is named by the rank of its first characters and of its last one. Ranks are packed at
    # each step, so they never overflow, however long the run.
    codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    alphabet, letters = np.unique(codes, return_inverse=True)
    names = letters.astype(np.int64)
    for step in range(1, length):
        if check is not None:
            check()
        names = names[:-1] * max(1, len(alphabet)) + letters[step:]
        names = np.unique(names, return_inverse=True)[1]
    starts = np.arange(len(names))
    owner = np.repeat(np.arange(len(texts)), lengths)[: len(names)]
    whole = starts + length <= ends[owner]  # runs across the border of two texts are none
    kept, first, columns = np.unique(names[whole], return_index=True, return_inverse=True)
    at = starts[whole][first]
    runs = tuple(joined[start : start + length] for start in at)
    return _counts(owner[whole], columns, (len(texts), len(kept))), runs


def require_content(data: Dataset, counts: SparseMatrix, what: str) -> None:
    """Raise a clear error when a text has nothing to count."""
    lengths = np.diff(counts.indptr)
    empty = np.flatnonzero(lengths == 0)
    if len(empty):
        others = f" and {len(empty) - 1} more" if len(empty) > 1 else ""
        raise DataError(
            f"The text of item {data.item_names[int(empty[0])]}{others} has no {what}. "
            "Leave such items out before this step.",
            code="no-texts",
        )


def _counts(rows: Any, columns: Any, shape: tuple[int, int]) -> SparseMatrix:
    from scipy.sparse import coo_array

    ones = np.ones(len(rows))
    counts: SparseMatrix = coo_array((ones, (rows, columns)), shape=shape).tocsr()
    counts.sum_duplicates()
    return counts
