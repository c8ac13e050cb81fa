"""The pictures that a scatter can show: embeddings, data as a step leaves them, the columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from coterie.core.model.arrays import is_sparse
from coterie.core.model.dataset import Dataset
from coterie.core.model.recipes import Step
from coterie.core.model.results import Embedding
from coterie.gui.views.shown_items.displayed import Shown, same_items

if TYPE_CHECKING:
    from coterie.projects.session import Session

COLUMNS = "columns:"  # the key of the columns as they were opened
_MOST_COLUMNS = 50


def picture_choices(session: Session, shown: Shown, live: str = "") -> tuple[tuple[str, str], ...]:
    """Return the pictures of these items as pairs of key and title, the newest first.

    Parameters
    ----------
    live : an embedding that is being computed, and can be watched
    """
    embeddings, data = [], []
    for step in reversed(session.recipe.in_order()):
        if not same_items(session, step.name, shown.dataset_step):
            continue
        kind = step.use.partition("/")[0]
        if step.name == live:
            embeddings.append((step.name, f"{step.name}: {_title(session, step)}, live"))
        elif kind == "embedder" and _fits(session, step.name, shown.n):
            embeddings.append((step.name, f"{step.name}: {_title(session, step)}"))
        elif (
            kind == "transform"
            and step.name != shown.dataset_step
            and _fits(session, step.name, shown.n)
        ):
            data.append((step.name, f"{step.name}: {_title(session, step)}"))
        elif kind == "clusterer" and _fits(session, step.name, shown.n, "embedding"):
            embeddings.append((step.name, f"{step.name}: its coordinates"))
    return (*embeddings, *data, (COLUMNS, "Columns"))


def picture_of(session: Session, key: str, n: int) -> Embedding | None:
    """Return the coordinates that a picture shows, or None when there are none of n items."""
    part = "embedding" if _kind(session, key) == "clusterer" else ""
    found = session.results.artefact(key, part) if key in session.recipe.names else None
    if isinstance(found, Dataset) and found.n == n and found.d:
        features: Any = found.features
        some = features[:, :_MOST_COLUMNS]
        dense = some.toarray() if is_sparse(some) else np.asarray(some, dtype=float)
        return Embedding(coordinates=dense, axes=found.columns[:_MOST_COLUMNS])
    return found if isinstance(found, Embedding) and len(found.coordinates) == n else None


def _fits(session: Session, name: str, n: int, part: str = "") -> bool:
    """Whether a step's result can be drawn; one that is still in the file is not brought."""
    results = session.results
    key = results.key(name, part)
    if key is None or not results.is_here(key):
        return key is not None and not part and results.length_in_file(name) == n
    found = results.artefact(name, part)
    if isinstance(found, Dataset):
        return not found.on_disk and found.n == n and found.d > 0
    return isinstance(found, Embedding) and len(found.coordinates) == n


def _kind(session: Session, name: str) -> str:
    part = session.recipe.find(name) if name in session.recipe.names else None
    return part.use.partition("/")[0] if isinstance(part, Step) else ""


def _title(session: Session, step: Step) -> str:
    return session.catalogue.get(step.use).title if step.use in session.catalogue else step.use
