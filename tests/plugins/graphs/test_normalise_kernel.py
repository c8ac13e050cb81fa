"""Every item has similarity 1 with itself."""

import csv
import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core import Affinity, Context, Dataset
from coterie.plugins.graphs.centre_kernel import CentreKernel
from coterie.plugins.graphs.normalise_kernel import NormaliseKernel
from coterie.plugins.kernels.spectrum import SpectrumKernel
from tests.refusals import refuses
from tests.rounding import rounding

FACTOR = np.random.default_rng(0).normal(size=(7, 3))
K = FACTOR @ FACTOR.T
SLACK = rounding(6 * FACTOR.shape[1])  # a product and two lengths


def normalised(affinity: Affinity) -> Affinity:
    return NormaliseKernel().compute(affinity, params=NormaliseKernel.Params(), context=Context())


@pytest.mark.parametrize("form", [{"values": K}, {"sparse": csr_array(K)}, {"factor": FACTOR}])
def test_the_diagonal_is_one_and_definiteness_stays(form: dict[str, Any]) -> None:
    given = Affinity(positive_semidefinite=True, nonnegative=False, **form)
    found = normalised(given)
    own = np.sqrt(np.diag(K))
    np.testing.assert_allclose(found.to_dense(), K / np.outer(own, own), atol=SLACK)
    np.testing.assert_allclose(found.diagonal(), 1.0)
    assert np.linalg.eigvalsh(found.to_dense()).min() > -1e-9
    assert found.form == given.form


def test_an_item_unlike_itself_is_named() -> None:
    data = Dataset(features=np.ones((2, 1)), items=("a", "b"))
    with refuses("zero-self-similarity"):
        normalised(Affinity(values=np.diag([1.0, 0.0]), dataset=data))


@pytest.mark.slow
@pytest.mark.realdata
def test_normalised_and_centred_run_counts_tell_four_languages_apart(
    realdata: Path,
) -> None:

    with gzip.open(realdata / "swiss_constitution.csv.gz", "rt", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    languages = sorted({row["label"] for row in rows})
    truth = np.array([languages.index(row["label"]) for row in rows])
    assert len(languages) == 4
    data = Dataset(kind="texts", texts=tuple(row["text"] for row in rows))
    affinity: Affinity = SpectrumKernel().compute(
        data, params=SpectrumKernel.Params(length=2), context=Context()
    )
    for graph in (NormaliseKernel, CentreKernel):
        params: Any = graph.Params()
        affinity = graph().compute(affinity, params=params, context=Context())
    values, vectors = np.linalg.eigh(affinity.to_dense())
    principal = vectors[:, -3:] * np.sqrt(values[-3:])
    centres = np.array([principal[truth == c].mean(axis=0) for c in range(4)])
    distances = ((principal[:, None] - centres[None]) ** 2).sum(2)
    assert (distances.argmin(axis=1) == truth).mean() > 0.98
