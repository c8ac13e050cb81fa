"""Graphs as lists of edges."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core import Affinity, Clustering, Context, DataError, Dataset
from coterie.plugins.readers.edges import Edges
from coterie.plugins.writers.edges import EdgesWriter
from tests.refusals import refuses

A = np.array([[1.0, 0.5, 0.0], [0.5, 0.0, 1 / 3], [0.0, 1 / 3, 0.0]])
NAMED = Dataset(title="d", items=("anna", "bert", "carl b"))


def write(path: Path, noun: Any, **params: Any) -> Path:
    EdgesWriter().compute(noun, path, params=EdgesWriter.Params(**params), context=Context())
    return path


@pytest.mark.parametrize("form", ["values", "sparse"])
@pytest.mark.parametrize("symmetric", [True, False])
def test_a_graph_comes_back_as_it_was(tmp_path: Path, form: str, symmetric: bool) -> None:
    matrix = A if symmetric else np.triu(A)
    held: Any = {form: csr_array(matrix) if form == "sparse" else matrix}
    path = write(tmp_path / "g.edges", Affinity(**held, symmetric=symmetric, dataset=NAMED))
    params = Edges.Params(directed=not symmetric)
    read = Edges().compute(path, params=params, context=Context())
    relation: Any = read.relation
    np.testing.assert_array_equal(relation.toarray(), matrix)
    assert read.items == NAMED.items


def test_small_edges_may_be_left_out(tmp_path: Path) -> None:
    path = write(tmp_path / "g.csv", Affinity(values=A), minimum=0.4, delimiter=",")
    assert path.read_text() == "source,target,weight\n1,1,1.0\n1,2,0.5\n"


def test_given_similarities_have_edges_and_groups_have_none(tmp_path: Path) -> None:
    relation = Dataset(title="r", kind="relation", relation=np.triu(A))
    assert len(write(tmp_path / "g.edges", relation).read_text().splitlines()) == 4
    with refuses("not-exportable", DataError):
        write(tmp_path / "g.edges", Clustering(labels=np.array([0])))
