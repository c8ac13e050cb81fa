"""What hierarchies, sets of several affinities and hypergraph groups claim, by their definitions.

The definitions are written out here word by word and share nothing with the code they judge.
"""

from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from coterie.core import Context, Dataset
from coterie.core.model.affinity import Affinity
from coterie.core.model.results import Clustering
from coterie.core.numerics.certificates.claims import Claim, certify_claims
from coterie.core.numerics.certificates.stated_groups import claims_of
from coterie.plugins.clusterers.dominant_hierarchy import DominantHierarchy
from coterie.plugins.clusterers.hypergraph import Hypergraph
from coterie.plugins.clusterers.multi_affinity import MultiAffinity
from coterie.projects.certificates import CertifiedStep, certify_step
from tests.core.numerics.certificates.test_dominant_sets import is_dominant
from tests.refusals import refuses


def similarities(seed: int, n: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    X = rng.random((n, 2))
    A = np.exp(-((X[:, None] - X[None]) ** 2).sum(axis=2) / rng.choice([0.05, 0.3]))
    A *= 1 + rng.random((n, n)).round(2)
    A = np.triu(A, 1)
    return np.asarray(A + A.T)


def run(method: Any, *inputs: Any, **params: Any) -> tuple[Clustering, CertifiedStep]:
    result = method.compute(*inputs, params=method.Params(**params), context=Context())
    use = f"clusterer/{method.id}"
    return result, certify_step(use, params, result, list(inputs))


def by_definition(A: np.ndarray, members: Any, excluded: Any) -> bool:
    """Whether a set is dominant among the items that are not excluded."""
    left = [item for item in range(len(A)) if item not in set(np.asarray(excluded).tolist())]
    own = tuple(left.index(item) for item in np.asarray(members).tolist())
    return is_dominant(A[np.ix_(left, left)], own)


@pytest.mark.parametrize("seed", range(8))
def test_every_set_of_a_hierarchy_is_one_at_its_scale_by_the_definition(seed: int) -> None:
    A = similarities(seed, 9)
    result, found = run(DominantHierarchy(), Affinity(values=A), min_size=2 + seed % 2, levels=5)
    assert found.holds
    tree = result.details["tree"]
    assert len(found.sets) == result.k == len(tree)
    for group, (one, about) in enumerate(zip(found.sets, tree, strict=True)):
        assert one.members.tolist() == result.members(group).tolist()
        assert one.alpha == about["alpha"]
        if about["parent"] >= 0:
            parent = set(result.members(about["parent"]).tolist())
            assert set(one.members.tolist()) <= parent
            assert set(range(9)) - parent <= set(one.excluded.tolist())
        assert by_definition(A - one.alpha * np.eye(9), one.members, one.excluded)
        x = np.linalg.solve(A[np.ix_(one.members, one.members)] - one.alpha * np.eye(
            len(one.members)), np.ones(len(one.members)))  # fmt: skip
        assert one.shares == pytest.approx(x / x.sum(), abs=1e-8)


@pytest.mark.parametrize("seed", range(4))
def test_any_set_at_any_scale_is_judged_as_the_definition_does(seed: int) -> None:
    A = similarities(seed, 6)
    for alpha in (0.1, 0.8, 4.0):
        for size in range(1, 7):
            for members in combinations(range(6), size):
                claim = Claim(members, alpha=alpha)
                (found,) = certify_claims([claim], [Affinity(values=A)], Context())
                assert (found.verdict == "holds") == is_dominant(A - alpha * np.eye(6), members)


def test_a_set_outside_its_parent_fails() -> None:
    A = np.zeros((4, 4))
    A[0, 1] = A[1, 0] = A[2, 3] = A[3, 2] = 1.0
    (found,) = certify_claims(
        [Claim((0, 1), excluded=(0, 3), parent=(1, 2))], [Affinity(values=A)], Context()
    )
    assert (found.verdict, found.astray.tolist()) == ("fails", [0])


@pytest.mark.parametrize("seed", range(8))
def test_sets_of_several_affinities_are_ones_of_their_weighted_sum(seed: int) -> None:
    one, two = similarities(seed, 9), 40.0 * similarities(100 + seed, 9)
    result, found = run(
        MultiAffinity(), Affinity(values=one), Affinity(values=two), min_size=2 + seed % 2
    )
    assert found.sets
    assert found.holds
    for number, (certificate, about) in enumerate(
        zip(found.sets, result.details["sets"], strict=True)
    ):
        assert certificate.game["weights"] == about["weights"]
        assert certificate.game["units"] == pytest.approx([one.max(), two.max()])
        w, v = about["weights"]
        summed = w * one / one.max() + v * two / two.max()
        assert by_definition(summed, certificate.members, certificate.excluded), number
        assert not len(certificate.beaten_by)


def test_a_set_that_another_of_its_round_beats_fails() -> None:
    A = np.zeros((4, 4))
    A[0, 1] = A[1, 0] = 1.0
    A[2, 3] = A[3, 2] = 0.5
    both = {"weights": [0.5, 0.5], "round": 1, "set_aside": []}
    result = Clustering(
        labels=np.array([0, 0, 1, 1]),
        cohesiveness=np.array([0.5, 0.25]),
        details={"sets": [both, both]},
    )
    inputs = [Affinity(values=A), Affinity(values=2 * A)]
    found = certify_step("clusterer/multi-affinity", {}, result, inputs)
    assert [one.verdict for one in found.sets] == ["holds", "fails"]
    assert found.sets[1].beaten_by.tolist() == [0]
    again = result.details["sets"][1] | {"round": 2}
    later = Clustering(
        labels=result.labels, cohesiveness=result.cohesiveness, details={"sets": [both, again]}
    )
    assert certify_step("clusterer/multi-affinity", {}, later, inputs).holds


def payoffs_by_sums(
    weight: Any, drawn: Any, members: np.ndarray, x: np.ndarray, order: int
) -> dict[int, float]:
    """The slope of f over the order for each drawn item: a sum over all sets of members with it."""
    share = dict(zip(members.tolist(), x.tolist(), strict=True))
    return {
        item: sum(
            weight((item, *others)) * float(np.prod([share[one] for one in others]))
            for others in combinations(members.tolist(), order - 1)
            if item not in others
        )
        / order
        for item in drawn
    }


def product_of_pairs(A: np.ndarray, items: tuple[int, ...]) -> float:
    return float(np.prod([A[i, j] for i, j in combinations(items, 2)]))


def fit(X: np.ndarray, sigma: float, flat: int, items: tuple[int, ...]) -> float:
    points = X[list(items)]
    left = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)[flat:]
    return float(np.exp(-(left**2).sum() / (2 * sigma**2)))


def equal_inside_and_less_outside(found: CertifiedStep, weight: Any, drawn: Any) -> None:
    assert found.sets
    for one in found.sets:
        paid = payoffs_by_sums(weight, drawn, one.members, one.shares, one.order)
        f = sum(paid[item] * x for item, x in zip(one.members.tolist(), one.shares, strict=True))
        assert one.cohesiveness == pytest.approx(f, rel=1e-9)
        assert [paid[item] for item in one.members.tolist()] == pytest.approx(
            [f] * len(one.members), rel=1e-9
        )
        left = set(drawn) - set(one.members.tolist()) - set(one.excluded.tolist())
        margins = [paid[item] - f for item in left]
        assert one.largest == pytest.approx(max(margins, default=-np.inf), rel=1e-7, abs=1e-9 * f)
        assert (one.verdict == "holds") == (one.shares.min() > 0 and max(margins, default=-1) < 0)


@pytest.mark.parametrize("order", [3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_hypergraph_groups_of_similarities_are_equilibria_by_the_sums(
    seed: int, order: int
) -> None:
    A = similarities(seed, 12)
    result, found = run(Hypergraph(), Affinity(values=A), order=order)
    assert len(found.sets) == len(result.details["sets"])
    assert found.holds
    equal_inside_and_less_outside(found, partial(product_of_pairs, A), range(12))


@pytest.mark.parametrize(("order", "flat"), [(3, 1), (4, 2)])
def test_hypergraph_groups_of_points_are_tested_on_the_items_that_were_drawn(
    order: int, flat: int
) -> None:
    rng = np.random.default_rng(order)
    X = rng.normal(size=(24, 3)).round(3) + 5
    data = Dataset(features=X)
    result, found = run(Hypergraph(), data, order=order, flat=flat, max_triples=600)
    drawn = result.details["drawn_items"]
    assert len(drawn) == result.details["drawn"] < 24
    assert {one.game["compared"] for one in found.sets} == {len(drawn)}
    assert all(set(range(24)) - set(drawn) <= set(one.excluded.tolist()) for one in found.sets)
    sigma = result.details["sigma"]
    assert found.sets[0].game["sigma"] == sigma
    equal_inside_and_less_outside(found, partial(fit, X, sigma, flat), drawn)


def test_a_group_without_one_of_its_members_is_no_equilibrium() -> None:
    A = np.ones((6, 6))
    A[:4, 4:] = A[4:, :4] = 0.1
    result, found = run(Hypergraph(), Affinity(values=A), k=1)
    (whole,) = claims_of("clusterer/hypergraph", {}, result, ())
    assert found.sets[0].members.tolist() == [0, 1, 2, 3]
    fewer = Claim((0, 1, 2), shares=(0.4, 0.3, 0.3), order=3)
    more = Claim((0, 1, 2, 3, 4), shares=(0.2,) * 5, order=3)
    assert len(whole.excluded) == 0
    short, long = certify_claims([fewer, more], [Affinity(values=A)], Context())
    assert (short.verdict, short.joining.tolist()) == ("fails", [3])
    assert (long.verdict, long.leaving.tolist()) == ("fails", [4])


@pytest.mark.parametrize("method", [DominantHierarchy(), MultiAffinity(), Hypergraph()])
def test_results_of_before_that_say_too_little_are_refused(method: Any) -> None:
    affinity = Affinity(values=similarities(1, 8))
    result, _ = run(method, affinity)
    kept = {"turn", "round", "set_aside"}
    details = {
        name: [{at: it for at, it in one.items() if at not in kept} for one in value]
        if name in ("tree", "sets")
        else value
        for name, value in result.details.items()
    }
    older = Clustering(
        labels=result.labels,
        membership=result.membership,
        cohesiveness=result.cohesiveness,
        group_items=result.group_items,
        group_starts=result.group_starts,
        details=details,
    )
    with refuses("groups-needed"):
        certify_step(f"clusterer/{method.id}", {}, older, [affinity])
