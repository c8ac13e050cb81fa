"""Read a graph as a list of its edges."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from coterie.core import Context, DataError, Dataset, Field, Floats, Ints, Reader
from coterie.core.formats.files.delimited import find_format, read_columns
from coterie.core.formats.files.tabular import FileColumn, classes_of, require_column, title_of
from coterie.core.formats.files.textfiles import beside

REMARKS = "#%"  # lines that begin so hold no edge
HEADINGS = ("source", "target", "from", "to", "node", "name", "id", "item", "vertex")


class Edges(Reader):
    """A graph as lines of source, target and, perhaps, weight.

    Items are whatever the lines name, in the order of their names, or those listed in a second
    file in the same folder; then an edge to any other item is refused.
    """

    id, title = "edges", "Edge list"
    extensions = (".edges", ".edgelist", ".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz")
    default_for = (".edges", ".edgelist")

    class Params(Reader.Params):
        """What the lines mean."""

        directed: bool = Field(
            False, description="Whether edges have a direction, from source to target."
        )
        weight: str = Field(
            "", description="Column of the weights; empty: the third, if there is one."
        )
        nodes: str = Field(
            "",
            description="File in the same folder that lists all items; empty: the items of "
            "the edges.",
        )
        repeated: Literal["add", "largest"] = Field(
            "add",
            description="How to combine the weights of an edge that is listed more than once.",
        )
        header: Literal["auto", "yes", "no"] = Field(
            "auto", description="Whether the first line holds the names of the columns."
        )
        truth: str = Field("", description="Column of the nodes file that holds known classes.")
        items: str = Field("", description="Column of the nodes file with names; empty: the first.")

    def compute(self, path: str | Path, *, params: Params, context: Context) -> Dataset:
        """Return the relation that the edges make."""
        path = Path(path)
        form = find_format(
            path,
            thousands="none",
            header=params.header,
            comment=REMARKS,
            headings=HEADINGS,
            check=context.check,
        )
        columns = read_columns(
            path, form, keep=lambda names: names[:2], comment=REMARKS, check=context.check
        )
        if len(columns) < 2:
            raise DataError(
                f"'{path.name}' must have at least two columns, source and target. Got 1.",
                code="too-few-columns",
            )
        weights, notes = _weights(path, columns, params), form.in_words()
        ends = [column.words() for column in columns[:2]]
        names, about = _nodes(path, params, ends, context)
        context.check()
        place = {name: i for i, name in enumerate(names)}
        source, target = (_places(path, params, words, place) for words in ends)
        if loops := int((source == target).sum()):
            notes.append(f"{loops} of the edges lead from an item to itself.")
        relation, remarks = _relation(source, target, weights, len(names), params)
        return Dataset(
            title=title_of(path),
            kind="relation",
            relation=relation,
            items=tuple(names),
            notes=(*notes, *remarks),
            details={"guessed": dict(form.guessed), "directed": params.directed},
            **about,
        )

    def companions(self, path: str | Path, *, params: Params) -> tuple[Path, ...]:
        """Return the file of items."""
        return (beside(Path(path), params.nodes),) if params.nodes else ()


def _weights(path: Path, columns: Sequence[FileColumn], params: Edges.Params) -> Floats:
    names = [column.name for column in columns]
    require_column(path.name, names, params.weight, "weight")
    if not params.weight and len(columns) == 2:
        return np.ones(len(columns[0].words()))
    column = columns[names.index(params.weight)] if params.weight else columns[2]
    if column.numbers is None:
        raise DataError(
            f"The weights in '{path.name}' must be numbers, but {column.trouble}.",
            code="wrong-type",
        )
    if not np.isfinite(column.numbers).all():
        raise DataError(
            f"Some weights in '{path.name}' are missing or infinite. Correct them.",
            code="missing-values",
        )
    return column.numbers


def _nodes(
    path: Path, params: Edges.Params, ends: list[list[str]], context: Context
) -> tuple[list[str], dict[str, Any]]:
    """The names of all items, and their known classes."""
    if not params.nodes:
        if params.truth or params.items:
            raise DataError(
                "'truth' and 'items' are columns of the nodes file. Set 'nodes' too.",
                code="invalid-parameters",
            )
        named = classes_of([*ends[0], *ends[1]])[1]  # numbers in the order of numbers
        return list(named), {}
    companion = beside(path, params.nodes)
    headings = {*HEADINGS, params.truth.lower(), params.items.lower()} - {""}
    form = find_format(
        companion, thousands="none", missing="", headings=headings, check=context.check
    )
    columns = {
        column.name: column
        for column in read_columns(companion, form, keep=lambda names: names, check=context.check)
    }
    for wanted, role in ((params.truth, "truth"), (params.items, "items")):
        require_column(params.nodes, list(columns), wanted, role)
    names = columns[params.items or next(iter(columns))].words()
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise DataError(
            f"'{params.nodes}' lists '{twice}' more than once. Names must differ.",
            code="duplicate-names",
        )
    if not params.truth:
        return names, {}
    truth, truth_names = classes_of(columns[params.truth].words())
    return names, {"truth": truth, "truth_names": truth_names, "truth_column": params.truth}


def _places(path: Path, params: Edges.Params, words: list[str], place: dict[str, int]) -> Ints:
    for number, word in enumerate(words, 1):
        if word not in place or not word:
            where = f"which '{params.nodes}' does not list" if word else "which has no name"
            raise DataError(
                f"Edge {number} of '{path.name}' leads to or from '{word}', {where}. "
                "Add that item, or remove the edge.",
                code="unknown-item",
            )
    return np.array([place[word] for word in words], dtype=np.int64)


def _relation(
    source: Ints, target: Ints, weights: Floats, n: int, params: Edges.Params
) -> tuple[Any, list[str]]:
    """The matrix of the edges; an undirected edge stands on both sides of the diagonal."""
    from scipy.sparse import coo_array

    notes = []
    if not params.directed:
        # An undirected edge may be written down from either end, or, by some programs, from both.
        forward = source <= target
        low, high = np.minimum(source, target), np.maximum(source, target)
        both_ways = _same(low, high, weights, forward & (low != high), ~forward)
        if both_ways:
            kept = forward
            low, high, weights = low[kept], high[kept], weights[kept]
            notes.append("Every edge is listed from both ends; each was counted once.")
        source, target = low, high
    code = source * n + target
    unique, edge = np.unique(code, return_inverse=True)
    if again := len(code) - len(unique):
        what = "added up" if params.repeated == "add" else "left out but for the largest"
        notes.append(f"{again} edges are listed again; their weights were {what}.")
    joined = np.zeros(len(unique))
    if params.repeated == "add":
        np.add.at(joined, edge, weights)
    else:
        joined.fill(-np.inf)
        np.maximum.at(joined, edge, weights)
    rows, columns = unique // n, unique % n
    if (joined < 0).any():
        notes.append("Some weights are negative; many methods need weights of at least 0.")
    if not params.directed:
        apart = rows != columns
        rows, columns = np.r_[rows, columns[apart]], np.r_[columns, rows[apart]]
        joined = np.r_[joined, joined[apart]]
    return coo_array((joined, (rows, columns)), shape=(n, n)).tocsr(), notes


def _same(low: Ints, high: Ints, weights: Floats, one: Any, other: Any) -> bool:
    """Whether the edges marked `one` are the edges marked `other`, weights included."""
    if not one.any() or one.sum() != other.sum():
        return False
    first, second = (
        sorted(zip(low[side], high[side], weights[side], strict=True)) for side in (one, other)
    )
    return first == second
