"""Graphs for other programs."""

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from coterie.core import Affinity, Context, Dataset
from coterie.plugins.writers.graphml import GraphML

NAMESPACE = {"g": "http://graphml.graphdrawing.org/xmlns"}


def written(path: Path, affinity: Affinity) -> ElementTree.Element:
    GraphML().compute(affinity, path, params=GraphML.Params(), context=Context())
    graph = ElementTree.parse(path).getroot().find("g:graph", NAMESPACE)
    assert graph is not None
    return graph


@pytest.mark.parametrize("symmetric", [True, False])
def test_items_classes_and_weights(tmp_path: Path, symmetric: bool) -> None:
    data = Dataset(
        title="d",
        items=("a <b> & \x01", "c"),
        truth=np.array([0, -1]),
        truth_names=('the "first"',),
    )
    A = np.array([[0.0, 1 / 3], [1 / 3, 0]])
    affinity = Affinity(values=A, symmetric=symmetric, dataset=data, title='a "graph"')
    graph = written(tmp_path / "g.graphml", affinity)
    assert graph.get("edgedefault") == ("undirected" if symmetric else "directed")
    nodes = graph.findall("g:node", NAMESPACE)
    assert [[entry.text for entry in node] for node in nodes] == [
        ["a <b> & \ufffd", 'the "first"'],
        ["c"],
    ]
    edges = graph.findall("g:edge", NAMESPACE)
    assert len(edges) == (1 if symmetric else 2)
    assert (edges[0].get("source"), edges[0].get("target")) == ("n0", "n1")
    assert float(edges[0][0].text or "") == 1 / 3
