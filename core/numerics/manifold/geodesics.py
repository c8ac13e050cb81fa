"""Distances along the data: shortest paths through nearest neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.similarity.neighbours import nearest_neighbours, neighbour_graph
from coterie.core.numerics.similarity.tiles import Check

SOURCES = 32  # at a time, so a person who cancels does not wait


def walkable_graph(
    X: Floats, neighbours: int, *, recall: float = 1.0, check: Check | None = None
) -> tuple[Any, int, tuple[str, ...]]:
    """Return the lengths between nearest neighbours, in one piece, with the pieces there were.

    Each piece is joined to the largest by the shortest way between them, so every item is reached.

    Returns
    -------
    graph : (n, n) CSR; the lengths of edges in either direction
    pieces : how many there were before they were joined
    notes : what a result must say about the neighbours

    Examples
    --------
    >>> walkable_graph(np.array([[0.0], [1.0], [5.0], [6.0]]), 1)[1]
    2
    """
    from scipy.sparse.csgraph import connected_components

    found = nearest_neighbours(X, neighbours, recall=recall, check=check)
    # A length of 0 would be no edge.
    least = np.finfo(float).tiny
    graph = neighbour_graph(found.indices, np.maximum(found.distances, least), len(X))
    graph = graph.maximum(graph.T)
    pieces, piece = connected_components(graph, directed=False)
    if pieces > 1:
        graph = _joined(X, graph, piece, check)
    return graph, int(pieces), found.notes


def _joined(X: Floats, graph: Any, piece: Ints, check: Check | None) -> Any:
    """The graph with a shortest edge from each further piece to those that are already joined."""
    from scipy.sparse import csr_array

    sizes = np.bincount(piece)
    order = np.argsort(-sizes, kind="stable")
    inside = piece == order[0]
    ends = []
    for other in order[1:]:
        members = np.flatnonzero(piece == other)
        joined = np.flatnonzero(inside)
        near, away = nearest_neighbours(X[members], 1, among=X[joined], check=check)
        at = int(away[:, 0].argmin())
        ends.append((members[at], joined[near[at, 0]], max(away[at, 0], np.finfo(float).tiny)))
        inside[members] = True
    one, two, lengths = map(np.array, zip(*ends, strict=True))
    rows, columns = np.concatenate([one, two]), np.concatenate([two, one])
    bridges = csr_array((np.concatenate([lengths, lengths]), (rows, columns)), shape=graph.shape)
    return graph.maximum(bridges)


def path_lengths(graph: Any, sources: Ints, *, check: Check | None = None) -> Floats:
    """Return the length of the shortest path from each source to each item: (sources, n).

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> line = csr_array(np.array([[0.0, 1, 0], [1, 0, 2], [0, 2, 0]]))
    >>> path_lengths(line, np.array([0])).tolist()
    [[0.0, 1.0, 3.0]]
    """
    from scipy.sparse.csgraph import dijkstra

    lengths = np.empty((len(sources), graph.shape[0]))
    for at in range(0, len(sources), SOURCES):
        if check is not None:
            check()
        some = sources[at : at + SOURCES]
        lengths[at : at + len(some)] = dijkstra(graph, directed=False, indices=some)
    return lengths
