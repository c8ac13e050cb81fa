"""Write a graph as GraphML, which Gephi, Cytoscape, igraph and networkx read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from coterie.core import Affinity, Context, Cost, Field, Writer
from coterie.core.formats.files.edges import edges_by_blocks, graph_of
from coterie.core.formats.files.tables import class_name, item_names

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="label" for="node" attr.name="label" attr.type="string"/>
<key id="class" for="node" attr.name="class" attr.type="string"/>
<key id="weight" for="edge" attr.name="weight" attr.type="double"/>
"""
# Characters that XML cannot hold, not even escaped.
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class GraphML(Writer):
    """A graph for Gephi, Cytoscape, igraph or networkx: named items, weighted edges.

    Known classes come with the items. Each edge of a symmetric graph is written once; other graphs
    are written as directed.
    """

    id, title = "graphml", "Graph (GraphML)"
    needs = ("affinity|dataset", "path")
    extensions = (".graphml",)

    class Params(Writer.Params):
        """Which edges."""

        minimum: float = Field(
            0.0,
            description="Edges with this weight or less are left out.",
            json_schema_extra={"unit": "similarity"},
        )

    def compute(self, artefact: Any, path: Path, *, params: Params, context: Context) -> None:
        """Write the graph `artefact` to `path`."""
        context.check()
        graph = graph_of(artefact)
        with path.open("w", encoding="utf-8", newline="\n") as stream:
            stream.write(HEAD)
            kind = "undirected" if graph.symmetric else "directed"
            stream.write(f'<graph id="{_text(graph.title or "graph")}" edgedefault="{kind}">\n')
            stream.writelines(_nodes(graph))
            for sources, targets, weights in edges_by_blocks(graph, params.minimum):
                context.check()
                stream.writelines(
                    f'<edge source="n{i}" target="n{j}"><data key="weight">{weight!r}</data>'
                    "</edge>\n"
                    for i, j, weight in zip(sources, targets, weights.tolist(), strict=True)
                )
            stream.write("</graph>\n</graphml>\n")

    def estimate(self, artefact: Any, path: Path, *, params: Params) -> Cost:
        """Block by block: little memory, but a line for each edge."""
        dense = isinstance(artefact, Affinity) and artefact.sparse is None
        return Cost(bytes=64 << 20, seconds=artefact.n**2 / 1e6 if dense else 0.0)


def _nodes(graph: Affinity) -> Iterator[str]:
    dataset = graph.dataset
    truth = None if dataset is None else dataset.truth
    for i, name in enumerate(item_names(dataset, graph.n)):
        known = ""
        if dataset is not None and truth is not None and truth[i] >= 0:
            known = (
                f'<data key="class">{_text(class_name(dataset.truth_names, int(truth[i])))}</data>'
            )
        yield f'<node id="n{i}"><data key="label">{_text(name)}</data>{known}</node>\n'


def _text(text: str) -> str:
    return escape(_UNPRINTABLE.sub("\ufffd", text), {'"': "&quot;"})
