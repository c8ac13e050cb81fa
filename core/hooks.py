"""The ten hooks by which a plugin offers its components, one for each kind.

Hook specifications may gain arguments, but never rename or drop one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pluggy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from coterie.core.components import Component

PROJECT = "coterie"
ENTRY_POINT_GROUP = "coterie.plugins"

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


@hookspec
def coterie_readers() -> Sequence[type[Component]]:  # type: ignore[empty-body]
    """Offer readers: from a path to a dataset."""


@hookspec
def coterie_transforms() -> Sequence[type[Component]]:  # type: ignore[empty-body]
    """Offer transforms: from a dataset to a dataset."""


@hookspec
def coterie_kernels() -> Sequence[type[Component]]:  # type: ignore[empty-body]
    """Offer kernels: from a dataset to an affinity."""


@hookspec
def coterie_graphs() -> Sequence[type[Component]]:  # type: ignore[empty-body]
    """Offer graphs: from a dataset or an affinity to an affinity."""


@hookspec
def coterie_clusterers() -> Sequence[type[Component]]:  # type: ignore[empty-body]
    """Offer clusterers: from an affinity or a dataset to a clustering."""


@hookspec
def coterie_embedders() -> Sequence[type[Component]]:  # type: ignore[empty-body]
    """Offer embedders: from an affinity or a dataset to coordinates."""


@hookspec
def coterie_rankers() -> Sequence[type[Component]]:  # type: ignore[empty-body]
    """Offer rankers: from an affinity, and perhaps a clustering, to an order of the items."""


@hookspec
def coterie_classifiers() -> Sequence[type[Component]]:  # type: ignore[empty-body]
    """Offer classifiers: from a labelled dataset to a model of its classes."""


@hookspec
def coterie_metrics() -> Sequence[type[Component]]:  # type: ignore[empty-body]
    """Offer metrics: from a clustering, and what to hold it against, to a number."""


@hookspec
def coterie_writers() -> Sequence[type[Component]]:  # type: ignore[empty-body]
    """Offer writers: from an artefact and a path to a file."""
