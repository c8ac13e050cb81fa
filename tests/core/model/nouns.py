"""Strategies that draw every noun, for the tests of what is done with nouns in general."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.sparse import csr_array

from coterie.core.model.affinity import Affinity
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import (
    Clustering,
    Embedding,
    Labelling,
    Model,
    Ranking,
    Score,
    Spectrum,
    Trace,
)

words = st.text(max_size=8)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.floats(allow_nan=False) | words,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(words, inner, max_size=2),
    max_leaves=5,
)
details = st.dictionaries(words, json_values, max_size=2)
numbers = st.floats(-1e6, 1e6, width=32)
float_types = st.sampled_from([np.float32, np.float64])


def floats(*shape: int) -> st.SearchStrategy[Any]:
    return float_types.flatmap(lambda dtype: hnp.arrays(dtype, shape, elements=numbers))


def ints(low: int, high: int, *shape: int) -> st.SearchStrategy[Any]:
    return hnp.arrays(np.int64, shape, elements=st.integers(low, max(low, high)))


def maybe(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | strategy


def names(count: int) -> st.SearchStrategy[tuple[str, ...]]:
    return st.just(()) | st.tuples(*[words] * count)


@st.composite
def matrices(draw: st.DrawFn, rows: int, columns: int) -> Any:
    dense = draw(floats(rows, columns))
    return csr_array(dense) if draw(st.booleans()) else dense


@st.composite
def datasets(draw: st.DrawFn) -> Dataset:
    n, d = draw(st.integers(0, 5)), draw(st.integers(0, 3))
    return Dataset(
        title=draw(words),
        kind=draw(st.sampled_from(["table", "texts", "images", "relation", "raster"])),
        features=draw(maybe(matrices(n, d))),
        items=draw(names(n)),
        truth=draw(ints(-1, 3, n)),
        truth_names=tuple(draw(st.lists(words, max_size=3))),
        truth_column=draw(words),
        texts=draw(names(n)),
        relation=draw(maybe(matrices(n, n))),
        thumbnails=draw(maybe(hnp.arrays(np.uint8, (n, 2, 2)))),
        notes=tuple(draw(st.lists(words, max_size=2))),
        details=draw(details),
    )


@st.composite
def affinities(draw: st.DrawFn) -> Affinity:
    n = draw(st.integers(0, 5))
    form = draw(st.sampled_from(["values", "sparse", "factor"]))
    matrix = draw(floats(n, draw(st.integers(0, 3)) if form == "factor" else n))
    held: Any = {form: csr_array(matrix) if form == "sparse" else matrix}
    return Affinity(
        **held,
        symmetric=draw(st.booleans()),
        nonnegative=draw(st.booleans()),
        positive_semidefinite=draw(st.booleans()),
        title=draw(words),
        details=draw(details),
    )


@st.composite
def clusterings(draw: st.DrawFn) -> Clustering:
    n, k = draw(st.integers(0, 5)), draw(st.integers(0, 3))
    sizes = draw(st.lists(st.integers(0, n), max_size=3)) if n else []
    overlapping = draw(st.booleans())
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return Clustering(
        labels=draw(ints(-1, k - 1, n)),
        membership=draw(maybe(floats(n, k))),
        cohesiveness=draw(maybe(floats(k))),
        group_items=draw(ints(0, n - 1, int(starts[-1]))) if overlapping else None,
        group_starts=starts if overlapping else None,
        names=draw(names(k)),
        title=draw(words),
        details=draw(details),
    )


@st.composite
def rankings(draw: st.DrawFn) -> Ranking:
    n = draw(st.integers(0, 5))
    order = draw(maybe(st.permutations(range(n)).map(lambda o: np.array(o, dtype=np.int64))))
    return Ranking(scores=draw(floats(n)), order=order, scope=draw(words), relative_to=draw(words))


_VALUES = ("objective", "step_size", "σ")


@st.composite
def traces(draw: st.DrawFn) -> Trace:
    t, s, m = (draw(st.integers(0, 4)) for _ in range(3))
    shown = draw(st.booleans())
    return Trace(
        iterations=draw(ints(0, 99, t)),
        values={name: draw(floats(t)) for name in draw(st.sets(st.sampled_from(_VALUES)))},
        share_iterations=draw(ints(0, 99, s)) if shown else None,
        shares=draw(floats(s, m)) if shown else None,
        coordinate_iterations=draw(ints(0, 99, s)) if shown else None,
        coordinates=draw(floats(s, m, 2)) if shown else None,
        membership_iterations=draw(ints(0, 99, s)) if shown else None,
        memberships=draw(floats(s, m, 3)) if shown else None,
        kept_items=draw(maybe(ints(0, 9, m))),
        marks=tuple(draw(st.lists(details, max_size=2))),
    )


embeddings = st.tuples(st.integers(0, 4), st.integers(0, 3)).flatmap(
    lambda shape: st.builds(
        Embedding, coordinates=floats(*shape), spectrum=maybe(floats(2)), axes=names(shape[1])
    )
)
any_numbers = hnp.arrays(
    st.sampled_from([np.uint8, np.int16, np.float64, np.complex128, np.bool_]),
    hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3),
)
spectra = st.builds(Spectrum, eigenvalues=any_numbers, suggested_k=st.integers(0, 9))
labellings = st.builds(
    Labelling,
    classes=hnp.arrays(np.uint8, (2, 3)),
    names=names(2),
    colours=maybe(hnp.arrays(np.uint8, (2, 3))),
    nodata=st.integers(0, 255),
    crs=words,
    transform=maybe(floats(6)),
)
models = st.builds(Model, arrays=st.dictionaries(words, any_numbers, max_size=3), settings=details)
scores = st.builds(
    Score,
    value=st.floats(allow_nan=False, allow_infinity=False),
    table=maybe(any_numbers),
    rows=names(2),
    columns=names(2),
)

nouns: st.SearchStrategy[Any] = st.one_of(
    datasets(),
    affinities(),
    clusterings(),
    rankings(),
    embeddings,
    spectra,
    labellings,
    models,
    scores,
    traces(),
)


def same(one: Any, other: Any) -> bool:
    """Whether two nouns, or two values of their fields, hold the same."""
    if hasattr(one, "encoding_type"):
        return type(one) is type(other) and all(
            same(getattr(one, name), getattr(other, name)) for name in vars(one)
        )
    if hasattr(one, "tocsr"):
        return bool(one.shape == other.shape and (one != other).nnz == 0)
    if isinstance(one, np.ndarray):
        may_be_nan = one.dtype.kind in "fc"
        equal = one.dtype == other.dtype and np.array_equal(one, other, equal_nan=may_be_nan)
        return bool(equal)
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return bool(one == other)
