"""Write a graph as a list of its edges."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any, Literal

from coterie.core import Affinity, Context, Cost, Field, Writer
from coterie.core.formats.files.edges import edges_by_blocks, graph_of
from coterie.core.formats.files.tables import item_names

DELIMITERS = {"tab": "\t", ",": ",", "space": " "}


class EdgesWriter(Writer):
    """A graph as lines of source, target and weight; `reader/edges` reads it back.

    Each edge of a symmetric graph is written once.
    """

    id, title = "edges", "Edge list"
    needs = ("affinity|dataset", "path")
    extensions = (".edges", ".edgelist", ".csv")
    default_for = (".edges", ".edgelist")

    class Params(Writer.Params):
        """Which edges, and how."""

        minimum: float = Field(
            0.0,
            description="Edges with this weight or less are left out.",
            json_schema_extra={"unit": "similarity"},
        )
        delimiter: Literal["tab", ",", "space"] = Field(
            "tab", description="Separator between source, target and weight."
        )

    def compute(self, artefact: Any, path: Path, *, params: Params, context: Context) -> None:
        """Write the edges of `artefact` to `path`."""
        context.check()
        graph = graph_of(artefact)
        names = item_names(graph.dataset, graph.n)
        with path.open("w", encoding="utf-8", newline="") as stream:
            lines = csv.writer(stream, delimiter=DELIMITERS[params.delimiter], lineterminator="\n")
            lines.writerow(("source", "target", "weight"))
            for sources, targets, weights in edges_by_blocks(graph, params.minimum):
                context.check()
                lines.writerows(
                    (names[i], names[j], weight)
                    for i, j, weight in zip(sources, targets, weights.tolist(), strict=True)
                )

    def estimate(self, artefact: Any, path: Path, *, params: Params) -> Cost:
        """Block by block: little memory, but a line for each edge."""
        return Cost(bytes=64 << 20, seconds=_edges(artefact) / 1e6)


def _edges(artefact: Any) -> float:
    if isinstance(artefact, Affinity):
        return float(artefact.sparse.nnz if artefact.sparse is not None else artefact.n**2)
    return 0.0
