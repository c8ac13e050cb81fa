"""Learned kernels as a narrow factor: within the error that is stated, and for all items."""

from typing import Any

import numpy as np
import pytest

from coterie.core import Affinity, Context, Dataset, Floats, Model, Output
from coterie.core.numerics.mixtures import compression
from coterie.core.numerics.mixtures.compression import basis_of, most_directions
from coterie.core.numerics.mixtures.em_pass import narrow_rows, shares_of
from coterie.plugins.kernels.cluster import Cluster
from coterie.plugins.kernels.probabilistic_cluster import ProbabilisticCluster

KERNELS = [Cluster, ProbabilisticCluster]
FEW: dict[str, Any] = {"initialisations": 3, "max_components": 6}


def items(n: int = 400) -> Floats:
    rng = np.random.default_rng(0)
    return np.asarray(rng.normal(size=(n, 2)) + 4 * rng.integers(0, 3, (n, 1)))


def learn(kernel: Any, X: Floats, context: Context | None = None, **params: Any) -> Output:
    return kernel().compute(  # type: ignore[no-any-return]
        Dataset(features=X),
        params=kernel.Params(**FEW | params),
        context=context or Context(seed=2),
    )


def main(output: Output) -> Affinity:
    assert isinstance(output.main, Affinity)
    return output.main


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("error", [0.1, 1e-3])
def test_similarities_are_within_the_error_of_those_uncompressed(kernel: Any, error: float) -> None:
    # All items take part in the fits, so both kernels are of the same ones.
    whole = main(learn(kernel, items(), compress="never")).to_dense()
    found = main(learn(kernel, items(), compress="always", error=error))
    assert found.form == "factor"
    assert found.factor is not None
    assert found.factor.dtype == np.float32
    rest = found.to_dense() - whole
    assert np.linalg.norm(rest) <= 1.01 * error * np.linalg.norm(whole)
    assert found.error is not None
    assert np.abs(rest).max() <= 1.01 * found.error + 1e-5
    assert found.details["compression_error"] <= error


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_smaller_error_takes_more_directions(kernel: Any) -> None:
    widths = [
        main(learn(kernel, items(), compress="always", error=error)).stored.shape[1]
        for error in (0.1, 0.01, 0.001)
    ]
    assert widths[0] < widths[1] < widths[2]


@pytest.mark.parametrize("kernel", KERNELS)
def test_items_that_took_no_part_in_the_fits_are_placed_in_them(kernel: Any) -> None:
    X = items()
    found = learn(kernel, X, compress="always", learned_on=150)
    assert main(found).n == len(X)
    assert (
        main(found).notes[-2] == "Fitted to 150 of 400 items; the others are placed in those fits."
    )
    model = found.parts["model"]
    assert isinstance(model, Model)
    again = kernel().apply(model, Dataset(features=X[:20]), Context())
    np.testing.assert_allclose(
        again.factor @ main(found).stored.T, main(found).rows(np.arange(20)), atol=1e-5
    )
    # What holds together in the full kernel of those fits does so here.
    coefficients = model.arrays["coefficients"]
    assert len(coefficients) == len(model.arrays["directions"])


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_number_of_workers_and_the_chunks_change_nothing(
    kernel: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = main(learn(kernel, items(), compress="always", learned_on=200))
    monkeypatch.setattr(compression, "CHUNK", 128)
    together = main(
        learn(kernel, items(), Context(seed=2, workers=3), compress="always", learned_on=200)
    )
    np.testing.assert_allclose(alone.stored, together.stored, atol=1e-5)


def test_narrow_rows_are_the_shares_of_all_fits_times_the_directions() -> None:
    rng = np.random.default_rng(0)
    fits, features = 5, rng.normal(size=(700, 4))
    stacks = [
        (rng.normal(size=(fits * g, 4)), rng.normal(size=(fits * g, 7)).astype(np.float32))
        for g in (2, 9)
    ]
    expected = np.zeros((700, 7))
    for coefficients, directions in stacks:
        g = len(coefficients) // fits
        shares = np.empty((700, fits, g))
        shares_of(coefficients.reshape(fits, g, 4).transpose(1, 0, 2), features, shares, soft=True)
        expected += shares.reshape(700, -1) @ directions
    found = narrow_rows(features, stacks, fits, 0.5, soft=True)
    np.testing.assert_allclose(found, 0.5 * expected, atol=1e-4)


def test_error_is_judged_on_rows_that_took_no_part() -> None:
    # The last rows have a direction that no other has: it cannot be found, and is stated.
    rng = np.random.default_rng(0)
    rows = rng.random((compression.LANDMARKS + 2 * compression.HELD_OUT, 12)).astype(np.float32)
    rows[: -compression.HELD_OUT, 11] = 0.0
    found = basis_of(rows, 1e-4, 12)
    assert found.error > 0.01
    assert "0.0001 was asked for: learn from more items" in found.in_words(1e-4)


def test_a_factor_of_a_million_items_is_kept_narrow() -> None:
    assert most_directions(10**6) * 10**6 * 4 <= 1.6e9
    cost = ProbabilisticCluster().estimate(
        Dataset(features=np.lib.stride_tricks.as_strided(np.zeros(1), (10**6, 5), (0, 0))),
        params=ProbabilisticCluster.Params(),
    )
    assert cost.bytes < 3 << 30
    assert ProbabilisticCluster.Params().compresses(10_001)
    assert not ProbabilisticCluster.Params().compresses(10_000)
