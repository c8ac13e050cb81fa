"""It keeps the promises that every method makes, and its own."""

import numpy as np
from coterie_latent_classes import methods

from coterie.core import Column, Context, Dataset
from coterie.core.testing import conformance

# One test for each promise; `coterie plugin check .` tells the same in words.
test_conformance = conformance(methods)


def test_groups_that_answer_alike_are_found() -> None:
    truth = np.arange(60) % 2
    columns = [Column(f"q{j}", truth, "category", categories=("no", "yes")) for j in range(4)]
    data = Dataset(features=np.zeros((60, 1)), columns=("x",), table=tuple(columns))
    method = methods.LatentClasses()
    found = method.compute(data, params=method.Params(k=2), context=Context(seed=3)).labels
    assert len(set(zip(found.tolist(), truth.tolist(), strict=True))) == 2
