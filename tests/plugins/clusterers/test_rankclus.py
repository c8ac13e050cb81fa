"""RankClus, compared with its steps written out link by link."""

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core import Affinity, Context
from coterie.core.numerics.walks.rank_clusters import AUTHORITY_ROUNDS, SMOOTH, rank_clusters
from coterie.plugins.clusterers.rankclus import RankClus
from tests.refusals import refuses


def group(affinity: Affinity, **params: Any) -> Any:
    return RankClus().compute(affinity, params=RankClus.Params(**params), context=Context())


def one_round(W: np.ndarray, labels: np.ndarray, k: int, ranking: str, rounds: int) -> Any:
    """Ranks, mixtures and groups after one iteration, by sums over single links."""
    n = len(W)

    def ranks(members: list[int]) -> np.ndarray:
        r = np.array([sum(W[i, j] for i in members) for j in range(n)])
        r /= r.sum()
        for _ in range(AUTHORITY_ROUNDS if ranking == "authority" else 0):
            hub = {i: sum(W[i, j] * r[j] for j in range(n)) for i in members}
            r = np.array([sum(hub[i] * W[i, j] for i in members) for j in range(n)])
            r /= r.sum()
        return r

    whole = ranks(list(range(n)))
    ends = [
        (1 - SMOOTH) * ranks(np.flatnonzero(labels == g).tolist()) + SMOOTH * whole
        for g in range(k)
    ]
    begins = [np.array([sum(W[i, j] * e[j] for j in range(n)) for i in range(n)]) for e in ends]
    begins = [b / b.sum() for b in begins]
    w = [1 / k] * k
    for _ in range(rounds):
        explained = [0.0] * k
        for i in range(n):
            for j in range(n):
                chances = [w[g] * begins[g][i] * ends[g][j] for g in range(k)]
                for g in range(k):
                    explained[g] += W[i, j] * chances[g] / sum(chances)
        w = [e / W.sum() for e in explained]
    shares = np.array([[w[g] * begins[g][i] for g in range(k)] for i in range(n)])
    shares /= shares.sum(axis=1, keepdims=True)
    centres = np.array([shares[labels == g].mean(axis=0) for g in range(k)])
    cosines = shares @ centres.T / np.linalg.norm(centres, axis=1)
    return np.array(ends).T, w, shares, cosines.argmax(axis=1)


@pytest.mark.parametrize("ranking", ["simple", "authority"])
@pytest.mark.parametrize("sparse", [False, True])
def test_a_round_is_what_its_steps_say_link_by_link(ranking: Any, sparse: bool) -> None:
    rng = np.random.default_rng(4)
    W = rng.random((9, 9)) * (rng.random((9, 9)) < 0.7) + 0.01
    labels = np.arange(9) % 3
    state = next(rank_clusters(csr_array(W) if sparse else W, labels, 3, ranking=ranking))
    ends, weights, shares, joined = one_round(W, labels, 3, ranking, 5)
    np.testing.assert_allclose(state.ends, ends, rtol=1e-10)
    np.testing.assert_allclose(state.weights, weights, rtol=1e-10)
    np.testing.assert_allclose(state.shares, shares, rtol=1e-10)
    assert state.labels.tolist() == joined.tolist()


def test_communities_and_their_hubs_are_found() -> None:
    rng = np.random.default_rng(0)
    owner = np.repeat([0, 1, 2], [20, 15, 10])
    A = np.where(owner[:, None] == owner, 1.0, 0.05) * rng.random((45, 45))
    A = A + A.T
    A[3, :20] += 2.0  # item 3 is the hub of the first community
    A[:20, 3] += 2.0
    found = group(Affinity(values=A), k=3)
    assert found.main.labels.tolist() == owner.tolist()
    np.testing.assert_allclose(found.main.membership.sum(axis=1), 1)
    assert found.parts["ranking"].order[0] == 3


def test_items_without_links_are_in_no_group() -> None:
    A = np.zeros((7, 7))
    A[:3, :3] = A[3:6, 3:6] = 1.0
    found = group(Affinity(values=A), k=2).main
    assert found.labels.tolist() == [0, 0, 0, 1, 1, 1, -1]
    assert "Items without links, in no group: 1." in found.notes


def test_what_is_no_network_is_refused() -> None:
    A = np.ones((4, 4))
    with refuses("negative-similarities"):
        group(Affinity(values=-A, nonnegative=False))
    with refuses("no-similarities"):
        group(Affinity(values=0 * A))
    with refuses("too-many-groups"):
        group(Affinity(values=A), k=5)
    with refuses("empty-data"):
        group(Affinity(values=np.zeros((0, 0))))
