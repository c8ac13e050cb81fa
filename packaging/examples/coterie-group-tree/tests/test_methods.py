"""It keeps the promises that every method makes, and its own."""

import numpy as np
from coterie_group_tree import methods

from coterie.core import Clustering, Context, Dataset
from coterie.core.testing import conformance

# One test for each promise; `coterie plugin check .` tells the same in words.
test_conformance = conformance(methods)


def test_near_groups_are_joined_first() -> None:
    X = np.array([[0.0], [0.1], [1.0], [1.1], [9.0], [9.1]])
    groups = Clustering(labels=np.arange(6) // 2, dataset=Dataset(features=X))
    method = methods.GroupTree()
    tree = method.compute(groups, params=method.Params(), context=Context())
    assert tree.parents.tolist() == [3, 3, 4, 4, -1]
    assert tree.items_of([2]).tolist() == [4, 5]
