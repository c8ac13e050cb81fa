"""The Memberships view's state."""

from typing import Any

import numpy as np

from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Clustering
from coterie.gui.views.memberships.state import MOST_ROWS, MembershipState, heat_map
from coterie.gui.views.shown_items.displayed import Shown
from tests.gui import prepared


def test_items_stand_by_group_with_the_strongest_first(session: Any) -> None:
    state = MembershipState(session)
    state.update()
    found, groups = state.picture, session.results.artefact("groups")
    assert found is not None
    labels = groups.labels[found.order]
    in_groups = labels[labels >= 0]
    assert (np.diff(in_groups) >= 0).all()
    assert (labels[len(in_groups) :] == -1).all()
    own = groups.membership[found.order[:5], 0]
    assert (np.diff(own) <= 0).all()
    np.testing.assert_allclose(found.shades.max(axis=0), 1.0)


def test_of_very_many_items_several_share_a_row() -> None:
    rng = np.random.default_rng(0)
    membership = rng.random((5000, 3))
    found = heat_map(
        Shown(clustering=Clustering(labels=membership.argmax(axis=1), membership=membership))
    )
    assert found is not None
    assert found.shades.shape == (MOST_ROWS, 3)
    assert sorted(np.concatenate([found.items_of(r) for r in range(MOST_ROWS)])) == list(
        range(5000)
    )


def test_a_cell_is_put_into_words(session: Any) -> None:
    state = MembershipState(session)
    state.update()
    assert state.describe(0, 0).endswith(
        f"membership {session.results.artefact('groups').membership[:, 0].max():.4g}"
    )


def test_a_result_without_memberships_says_so(session: Any) -> None:
    labels = session.results.artefact("groups").labels
    session.put("groups", Clustering(labels=labels))
    state = MembershipState(session)
    state.update()
    assert state.empty.startswith("'groups' gives each item a group but no degree")


def test_many_memberships_are_sorted_elsewhere(new_session: Any) -> None:
    rng = np.random.default_rng(0)
    membership = rng.random((5_000, 50))
    data = Dataset(features=rng.random((5_000, 1)))
    groups = Clustering(labels=membership.argmax(axis=1), membership=membership, dataset=data)
    session = new_session({"data": data, "groups": groups}, prepared.RECIPE)
    state = MembershipState(session)
    state.update()
    assert state.empty.endswith("…")
    state.pending.finish()
    assert state.empty == ""
    assert state.picture is not None


def test_items_without_a_share_are_told_apart_from_those_in_no_group(session: Any) -> None:
    state = MembershipState(session)
    groups = session.results.artefact("groups")
    membership = np.zeros((groups.n, 2))
    membership[:5, 0] = membership[5:10, 1] = 0.2
    labels = np.repeat([0, 1], [5, groups.n - 5])
    session.put("groups", Clustering(labels=labels, membership=membership))
    state.update()
    assert "assigned to their group afterwards" in state.rest()
    assert "no group" not in state.rest()
    session.put("groups", Clustering(labels=np.where(labels, -1, 0), membership=membership))
    state.update()
    assert state.rest() == " Items at the bottom are in no group."
