"""A scene and the fitted steps of a recipe, ready to be applied to any of its pixels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core import well_known
from coterie.core.api.components import Component, Transform
from coterie.core.api.context import Context
from coterie.core.api.parameters import parse_params
from coterie.core.catalogue.registry import Registry
from coterie.core.engine.messages import SceneRequest
from coterie.core.errors import DataError, PluginError, RecipeError
from coterie.core.formats.rasters.scene import Scene, scene_of
from coterie.core.formats.rasters.truth import Truth, find_truth, parse_classes
from coterie.core.io.workspace import Workspace
from coterie.core.model.arrays import Ints
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Clustering, Model
from coterie.core.numerics.features.picture_grid import MEMBERS


@dataclass(frozen=True)
class FittedStep:
    """A step that is applied to every tile: a transform, or at the end the classifier."""

    component: Component
    model: Model


@dataclass(frozen=True, eq=False)
class FittedChain:
    """The steps from the bands of a scene to a group, as they were fitted to a sample.

    Attributes
    ----------
    truth : the mask of known classes, None when the request names none
    """

    scene: Scene
    links: tuple[FittedStep, ...]
    methods: tuple[str, ...]
    context: Context
    truth: Truth | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Go to a worker without the mask, which is as large as the scene and judged here."""
        return {**self.__dict__, "truth": None}

    @property
    def last(self) -> Model:
        """What the classifier learnt."""
        return self.links[-1].model

    @property
    def k(self) -> int:
        """Number of groups."""
        return int(self.last.settings.get("k", 0))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the groups, as far as they have some."""
        return tuple(str(name) for name in self.last.settings.get("names", ()))

    @property
    def reach(self) -> int:
        """How far around a pixel its group depends on: as far as all methods together look."""
        return sum(
            link.component.reach(link.model)
            for link in self.links
            if isinstance(link.component, Transform)
        )

    @property
    def by_window(self) -> bool:
        """Whether it takes the pixels of a window at their places, not just one by one."""
        return any(
            isinstance(link.component, Transform) and link.component.by_window
            for link in self.links
        )

    def label(self, pixels: Dataset) -> Ints:
        """Return the group of each pixel of a table, −1 for none."""
        return self.classify(pixels).labels

    def classify(self, pixels: Dataset) -> Clustering:
        """Return the group of each pixel, with its membership in each where that is known."""
        data: Any = pixels
        members: Any = None
        for link in self.links[:-1]:
            data = link.component.apply(link.model, data, self.context)
            members = data.details.get(MEMBERS, members)
        found = self.links[-1].component.apply(self.last, data, self.context)
        if not isinstance(found, Clustering):
            raise PluginError(
                f"{self.methods[-1]} returned no groups. Report it to its author.",
                code="invalid-result",
            )
        return found if members is None else _of_pixels(found, np.asarray(members))


def _of_pixels(segments: Clustering, members: Ints) -> Clustering:
    """The groups of pixels, of those of their segments; −1 where a pixel has none."""
    none = members < 0
    labels = np.where(none, -1, segments.labels[members])
    shares = segments.membership
    if shares is not None:
        shares = np.where(none[:, None], 0.0, shares[members])
    return replace(segments, dataset=None, labels=labels, membership=shares)


def open_chain(
    order: SceneRequest, registry: Registry, workspace: Workspace, context: Context
) -> FittedChain:
    """Open the scene and load the models that a request names."""
    scene = _opened(order.scene, order.reader, order.reader_params, registry, context)
    links = _links(order.methods, order.models, registry, workspace)
    _require_bands(scene, order.columns)
    truth = _truth(order, scene, registry, context) if order.truth else None
    return FittedChain(scene, tuple(links), tuple(order.methods), context, truth)


def _truth(order: SceneRequest, scene: Scene, registry: Registry, context: Context) -> Truth:
    array = {"array": order.truth_array} if order.truth_array else {}
    mask = _opened(order.truth, well_known.READER_RASTER, array, registry, context)
    return find_truth(scene, mask, parse_classes(order.truth_classes), context.check)


def _opened(path: str, use: str, params: Any, registry: Registry, context: Context) -> Scene:
    reader = registry.component(use)
    values = parse_params(reader.Params, params, use)
    data = reader().compute(Path(path), params=values, context=context)
    if not isinstance(data, Dataset) or not data.on_disk:
        raise DataError(
            f"'{Path(path).name}' is not a scene. Open one that {well_known.READER_RASTER} reads.",
            code="not-a-scene",
        )
    return scene_of(data)


def _links(
    uses: Sequence[str], keys: Sequence[str], registry: Registry, workspace: Workspace
) -> list[FittedStep]:
    links = []
    for use, key in zip(uses, keys, strict=True):
        component = registry.component(use)()
        if not key:
            if isinstance(component, Transform) and component.chooses_items:
                continue
            raise RecipeError(
                f"{use} has no model, so it cannot be applied to new pixels. "
                "Use a recipe without it.",
                code="no-model",
            )
        links.append(FittedStep(component, workspace.load(key)))
    return links


def _require_bands(scene: Scene, columns: Sequence[str]) -> None:
    if columns and len(columns) != len(scene.bands):
        raise DataError(
            f"The recipe was trained on {len(columns)} bands ({', '.join(columns):.120}). "
            f"'{scene.name}' has {len(scene.bands)} ({', '.join(scene.band_names):.120}). "
            "Choose the same ones with --bands.",
            code="columns-mismatch",
        )
