"""Words weighed by how telling they are."""

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.feature_extraction.text import TfidfTransformer

from coterie.core import Context, Dataset, Output
from coterie.plugins.transforms.tf_idf import TfIdf
from tests.refusals import refuses
from tests.rounding import rounding

X = np.random.default_rng(0).poisson(0.8, (12, 20)).astype(np.float64)
X[:, 0] = 1.0
X[:, 1] = 0.0


def weighed(X: Any, **params: Any) -> Output:
    return TfIdf().compute(Dataset(features=X), params=TfIdf.Params(**params), context=Context())


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("damped", [False, True])
@pytest.mark.parametrize("normalise", [False, True])
def test_it_agrees_with_the_usual_definition(sparse: bool, damped: bool, normalise: bool) -> None:
    output = weighed(csr_array(X) if sparse else X, damped=damped, normalise=normalise)
    assert isinstance(output.main, Dataset)
    usual = TfidfTransformer(norm="l2" if normalise else None, sublinear_tf=damped)
    expected = usual.fit_transform(csr_array(X)).toarray()
    np.testing.assert_allclose(
        output.main.dense_features(), expected, atol=rounding(8 * 20, expected.max())
    )
    assert hasattr(output.main.features, "tocsr") == sparse
    model: Any = output.parts["model"]
    applied = TfIdf().apply(model, Dataset(features=X[:3]), Context())
    np.testing.assert_allclose(
        applied.dense_features(), expected[:3], atol=rounding(8 * 20, expected.max())
    )


def test_negative_counts_are_refused() -> None:
    with refuses("negative-values"):
        weighed(np.array([[-1.0]]))
