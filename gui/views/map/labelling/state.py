"""Labelling a whole scene from the window: the request, its progress and its outcome."""

from __future__ import annotations

import csv
import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coterie.core import well_known
from coterie.core.formats.rasters.tiles import partial_files
from coterie.core.model.dataset import Dataset
from coterie.core.model.recipes import Source
from coterie.core.model.results import Clustering
from coterie.gui.views.map.base_layer import Ground
from coterie.gui.views.map.classes.state import KEPT as KEPT_CLASSES
from coterie.gui.views.map.classes.state import Classes
from coterie.gui.views.shown_items.columns import group_names
from coterie.gui.views.shown_items.displayed import Shown
from coterie.projects.jobs.classify_scene import MapRequest, chain_of, own_scene

if TYPE_CHECKING:
    from coterie.projects.session import Session

KEPT = "map_file"  # in session.view: what was made, {"path", "names", "colours"}
BEGUN = "map_begun"  # in session.view: a map that was not finished, {"step", "path"}
NEAREST = well_known.CLASSIFIER_NEAREST


@dataclass(frozen=True)
class Made:
    """A map on disk, or one that is being made: where, and its classes."""

    path: Path
    names: tuple[str, ...]
    colours: tuple[str, ...]
    complete: bool = True

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """Pixels of each class, as the table beside the map says; empty when they are not known."""
        if not self.complete:
            return ()
        try:
            with self.path.with_suffix(".csv").open(encoding="utf-8", newline="") as stream:
                found = {str(row["class"]): int(row["pixels"]) for row in csv.DictReader(stream)}
        except (OSError, ValueError, KeyError, TypeError, csv.Error):
            return ()
        # One of another map has other classes.
        return tuple(found.get(n, 0) for n in self.names) if set(found) <= {*self.names} else ()

    def as_json(self) -> dict[str, Any]:
        """Return it as plain JSON."""
        return {"path": str(self.path), "names": [*self.names], "colours": [*self.colours]}

    @classmethod
    def kept_in(cls, view: Mapping[str, Any]) -> Made | None:
        """Return the map that a project remembers, None when it is not there any more."""
        kept = view.get(KEPT)
        try:
            path = Path(kept["path"])  # type: ignore[index]
            names = tuple(str(name) for name in kept["names"])  # type: ignore[index]
            colours = tuple(str(colour) for colour in kept["colours"])  # type: ignore[index]
        except (KeyError, TypeError):
            return None
        sound = len(names) == len(colours) and all(len(c) == 7 and c[0] == "#" for c in colours)
        return cls(path, names, colours) if sound and path.is_file() else None


def begun_in(session: Session) -> tuple[str, Path] | None:
    """Return the classifier step and the file of a map that was begun, if it can be gone on with.

    The step must still be there, and beside the file what was done.
    """
    kept = session.view.get(BEGUN)
    step, path = (kept.get("step"), kept.get("path")) if isinstance(kept, Mapping) else (None, None)
    if not isinstance(step, str) or not isinstance(path, str):
        return None
    there = step in classifiers_of(session) and all(p.is_file() for p in partial_files(Path(path)))
    return (step, Path(path)) if there else None


def classifiers_of(session: Session) -> list[str]:
    """Return the classifier steps of the recipe, the last one first."""
    steps = session.recipe.steps
    return [step.name for step in reversed(steps) if step.use.startswith("classifier/")]


def why_not(session: Session, ground: Ground | None, clustered: bool) -> str:
    """Return a sentence when the scene cannot be labelled now, else nothing."""
    if ground is None:
        return "Open a scene first."
    if classifiers_of(session):
        return ""
    if not clustered:
        return "Cluster a sample of the pixels first: run the analysis."
    return ""


def classes_of(session: Session, classifier: str) -> Classes | None:
    """Return the classes of the groups that a classifier step learns, None before they are."""
    part = session.recipe.step(classifier)
    groups = part.of[1] if len(part.of) > 1 else ""
    found = session.results.artefact(groups) if groups else None
    if not isinstance(found, Clustering):
        return None
    names = group_names(Shown(clustering=found, clustering_step=groups))
    kept = session.view.get(KEPT_CLASSES)
    return Classes(names, kept.get(groups) if isinstance(kept, Mapping) else None)


def source_of(session: Session, step: str) -> Source:
    """Return the source that a step begins with."""
    return chain_of(session.recipe, session.catalogue, step).source


def request_for(
    session: Session,
    step: str,
    target: Path,
    classes: Classes | None,
    written: tuple[Path, Path | None] | None = None,
    meant: str = "",
) -> MapRequest:
    """Return what to ask the engine for: the recipe's own scene, in the classes of the window.

    Parameters
    ----------
    written : a picture in memory as it was written to disk, and its known classes
    meant : what the numbers of the mask mean, where that is not as the recipe says

    Raises a clear error when the recipe does not begin with a scene in a file.
    """
    listed = classes.listed(dark=False) if classes is not None else ()
    wanted = MapRequest(
        scene=Path(),
        target=target,
        step=step,
        merge=classes.merge_texts() if classes is not None else (),
        colours={found.name: found.colour for found in listed},
    )
    if written is not None:
        scene, truth = written
        return replace(wanted, scene=scene, truth=truth, truth_classes=meant if truth else "")
    path, truth, own = own_scene(source_of(session, step))
    where = session.files.place_of
    known_by = where(truth) if truth is not None else None
    return replace(wanted, scene=where(path), truth=known_by, truth_classes=meant or own)


def written_picture(data: Dataset) -> tuple[Path, Path | None]:
    """Write a picture in memory as a scene, and its known classes, to the cache; for a thread."""
    from coterie.core.io.folders import cache_folder
    from coterie.projects.sources.rasters import write_bands
    from coterie.projects.sources.write_scene import save_scene

    features: Any = data.features
    mark = hashlib.sha256(features.tobytes()).hexdigest()[:16]
    folder = cache_folder() / "pictures" / mark
    folder.mkdir(parents=True, exist_ok=True)
    scene, *truth = save_scene(data, folder / f"{file_name(data.title)}.tif", write_bands)
    return scene, truth[0] if truth else None


def made_of(request: MapRequest, classes: Classes | None) -> Made | None:
    """Return the map that a request makes, as it will be called and coloured."""
    if classes is None:
        return None
    return Made(request.target, *_legend_of(classes), complete=False)


def _legend_of(classes: Classes) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names and colours that these classes have on a map."""
    listed = classes.listed(dark=False)
    names = (*(found.name for found in listed), "unclassified")
    return names, (*(found.colour for found in listed), "#808080")


def why_outdated(made: Made | None, classes: Classes | None) -> str:
    """Return a sentence when a map was made of other classes than there are now, else nothing."""
    if made is None or classes is None or not made.complete:
        return ""
    if (made.names, made.colours) == _legend_of(classes):
        return ""
    return (
        f"'{made.path.name}' was made with the previous classes. Classify the scene again "
        "to update it."
    )


def map_folder(session: Session, usual: Path) -> Path:
    """Return the folder to propose for a map: the project's, the scene's, or the one used last.

    A map of a project that was not saved belongs to its scene, unless nothing can be written there.
    """
    if session.project.path is not None:
        return session.project.path.parent
    for source in session.recipe.sources:
        place = Path(source.open)
        if place.is_absolute() and place.exists() and os.access(place.parent, os.W_OK):
            return place.parent
    return usual


def file_name(title: str) -> str:
    """Return a title as the name of a file.

    >>> file_name("Clouds over land & water")
    'clouds-over-land-water'
    """
    kept = "".join(c if c.isalnum() or c in "-_" else " " for c in title)
    return "-".join(kept.split()).lower() or "scene"
