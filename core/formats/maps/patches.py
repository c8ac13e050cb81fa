"""Patches of a map: connected pixels of one class, found strip by strip in bounded memory.

Memory is that of a strip of rows, and a few numbers for each patch, of four bytes each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from coterie.core.formats.rasters.maps import ReadRows
from coterie.core.model.arrays import Array, Ints

STRIP = 128


@dataclass(frozen=True, eq=False)
class Patches:
    """The patches of a map, the first to be met first.

    Pixels touch by their sides. Within a strip a patch may come in pieces, numbered through the
    whole map; `of_piece` says to which patch each belongs.

    Attributes
    ----------
    of_piece : (pieces,) patch of each
    starts : number of the first piece of each strip
    sizes, classes : (patches,) pixels, and class; no data is a class of its own
    """

    of_piece: Ints
    starts: tuple[int, ...]
    sizes: Ints
    classes: Ints


def find_patches(read: ReadRows, height: int, check: Callable[[], None]) -> Patches:
    """Return the patches of a map.

    >>> codes = np.array([[0, 0, 1], [1, 0, 1], [1, 1, 0]])
    >>> found = find_patches(lambda top, bottom: codes[top:bottom], 3, lambda: None)
    >>> found.sizes.tolist(), found.classes.tolist()
    ([3, 2, 3, 1], [0, 1, 1, 0])
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    sizes, classes, pairs = [], [], [np.empty((2, 0), dtype=np.int32)]
    above: tuple[Array, Ints] | None = None
    count, starts = 0, []
    for codes, pieces, start in _strips(read, height, check):
        starts.append(start)
        flat = pieces.reshape(-1)
        sizes.append(np.bincount(flat).astype(np.int32))
        first = np.empty(len(sizes[-1]), dtype=np.int32)
        first[flat] = codes.reshape(-1)
        classes.append(first)
        if above is not None:
            same = above[0] == codes[0]
            # Side by side most pairs come again and again.
            pair = np.stack([above[1][same], pieces[0][same] + start])
            again = (pair[:, 1:] == pair[:, :-1]).all(axis=0)
            pairs.append(pair[:, np.concatenate([[True], ~again])] if again.size else pair)
        above, count = (codes[-1], pieces[-1] + start), start + len(first)
    joined = np.concatenate(pairs, axis=1)
    pairs.clear()
    graph = coo_array((np.ones(joined.shape[1], dtype=np.int8), tuple(joined)), (count, count))
    del joined
    number, of_piece = connected_components(graph, directed=False)
    del graph
    total = np.bincount(of_piece, weights=np.concatenate(sizes), minlength=number)
    kinds = np.empty(number, dtype=np.int32)
    kinds[of_piece] = np.concatenate(classes)
    return Patches(of_piece, tuple(starts), total.astype(np.int64), kinds)


def sieved_rows(
    read: ReadRows,
    height: int,
    patches: Patches,
    small: Array,
    keep: int,
    check: Callable[[], None],
) -> ReadRows:
    """Return what reads the rows of a map in which each small patch has its neighbour's class.

    Parameters
    ----------
    small : (patches,) which go
    keep : the class that gives nothing away and is given to none: no data

    A small patch takes the class of the largest patch that touches it, and if that is small too,
    of what that one takes. One that touches none but no data stays.
    """
    into = _neighbours(read, height, patches, small, keep, check)
    classes = patches.classes[_ends(into, small, patches.sizes)]
    of_piece = classes[patches.of_piece]
    starts = {number * STRIP: start for number, start in enumerate(patches.starts)}

    def rows(top: int, bottom: int) -> Array:
        parts = []
        for start in range(top // STRIP * STRIP, bottom, STRIP):
            codes = read(start, min(start + STRIP, height))
            done = of_piece[starts[start] :][_pieces(codes)].astype(codes.dtype)
            parts.append(done[max(0, top - start) : bottom - start])
        return np.concatenate(parts)

    return rows


def _neighbours(
    read: ReadRows,
    height: int,
    patches: Patches,
    small: Array,
    keep: int,
    check: Callable[[], None],
) -> Ints:
    """For each small patch the largest that touches it, of several the first; itself for none."""
    n = len(patches.sizes)
    # By size, then the first to be met.
    order = (n - 1 - np.argsort(patches.sizes[::-1], kind="stable")).astype(np.int32)
    rank = np.empty(n, dtype=np.int32)
    rank[order] = np.arange(n, dtype=np.int32)
    best = np.full(n, -1, dtype=np.int32)
    gives = patches.classes != keep
    above: Ints | None = None
    for _, pieces, start in _strips(read, height, check):
        here = patches.of_piece[start:][pieces]
        pairs = [(here[:, :-1], here[:, 1:]), (here[:-1], here[1:])]
        if above is not None:
            pairs.append((above[None], here[:1]))
        for one, other in pairs:
            for a, b in ((one, other), (other, one)):
                touch = (a != b) & small[a] & gives[b]
                np.maximum.at(best, a[touch], rank[b[touch]])
        above = here[-1]
    return np.where(best >= 0, order[best], np.arange(n, dtype=np.int32))


def _ends(into: Ints, small: Array, sizes: Ints) -> Ints:
    """Where each patch ends up: small ones follow their neighbours until one is not small."""
    ends = np.where(small, into, np.arange(len(into), dtype=np.int32))
    # Of small patches that lead to each other in a circle, the largest has the say.
    turn = ends[ends] == np.arange(len(ends))
    first = turn & (ends != np.arange(len(ends)))
    first &= (sizes > sizes[ends]) | ((sizes == sizes[ends]) & (np.arange(len(ends)) < ends))
    ends[first] = np.flatnonzero(first)
    while True:
        further = ends[ends]
        if np.array_equal(further, ends):
            return ends
        ends = further


def _strips(
    read: ReadRows, height: int, check: Callable[[], None]
) -> Iterator[tuple[Array, Ints, int]]:
    """Strips of rows, the piece of the strip that each pixel is in, and how many came before."""
    start = 0
    for top in range(0, height, STRIP):
        check()
        codes = read(top, min(top + STRIP, height))
        pieces = _pieces(codes)
        yield codes, pieces, start
        start += int(pieces.max()) + 1


def _pieces(codes: Array) -> Ints:
    """Connected pixels of one class, numbered from 0 in the order in which they are met."""
    from scipy.ndimage import label

    pieces = np.empty(codes.shape, dtype=np.int32)  # a strip has fewer than that
    count = 0
    for value in np.unique(codes).tolist():
        inside = codes == value
        found, made = label(inside)
        pieces[inside] = found[inside] + (count - 1)
        count += made
    flat = pieces.reshape(-1)
    first = np.empty(count, dtype=np.int32)
    first[flat[::-1]] = np.arange(flat.size - 1, -1, -1, dtype=np.int32)  # the last to be set stays
    order = np.empty(count, dtype=np.int32)
    order[np.argsort(first)] = np.arange(count, dtype=np.int32)
    return np.asarray(order[pieces])
