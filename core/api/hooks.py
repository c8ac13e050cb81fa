"""The ten hooks by which a plugin offers its components, one for each kind.

Hook specifications may gain arguments, but never rename or drop one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pluggy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from coterie.core.api.components import Component

PROJECT = "coterie"
ENTRY_POINT_GROUP = "coterie.plugins"

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


@hookspec
def coterie_readers() -> Sequence[type[Component]]:
    """Offer readers: from a path to a dataset."""
    return ()


@hookspec
def coterie_transforms() -> Sequence[type[Component]]:
    """Offer transforms: from a dataset to a dataset."""
    return ()


@hookspec
def coterie_kernels() -> Sequence[type[Component]]:
    """Offer kernels: from a dataset to an affinity."""
    return ()


@hookspec
def coterie_graphs() -> Sequence[type[Component]]:
    """Offer graphs: from a dataset or an affinity to an affinity."""
    return ()


@hookspec
def coterie_clusterers() -> Sequence[type[Component]]:
    """Offer clusterers: from an affinity or a dataset to a clustering."""
    return ()


@hookspec
def coterie_embedders() -> Sequence[type[Component]]:
    """Offer embedders: from an affinity or a dataset to coordinates."""
    return ()


@hookspec
def coterie_rankers() -> Sequence[type[Component]]:
    """Offer rankers: from an affinity, and perhaps a clustering, to an order of the items."""
    return ()


@hookspec
def coterie_classifiers() -> Sequence[type[Component]]:
    """Offer classifiers: from a labelled dataset to a model of its classes."""
    return ()


@hookspec
def coterie_metrics() -> Sequence[type[Component]]:
    """Offer metrics: from a clustering, and what to hold it against, to a number."""
    return ()


@hookspec
def coterie_writers() -> Sequence[type[Component]]:
    """Offer writers: from an artefact and a path to a file."""
    return ()
