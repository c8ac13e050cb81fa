"""Applies a stored result to new items, after preparing them as its own data were."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from coterie.core.api.components import Embedder, Graph, Kernel, Transform
from coterie.core.errors import DataError
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Clustering
from coterie.inputs import as_dataset
from coterie.projects.store.hdf5.reading import ProjectFile
from coterie.registry import component
from coterie.running import apply_like, apply_model


@dataclass(frozen=True)
class Link:
    """A result between the data of a project and another result.

    Attributes
    ----------
    key : of the result
    use : the method that made it
    model : key of its model; empty when it has none
    """

    key: str
    use: str
    model: str


@dataclass(frozen=True)
class Way:
    """The data that a result comes from, and the results between the two, in order."""

    data: str
    links: tuple[Link, ...]

    def after(self, key: str) -> tuple[Link, ...]:
        """Return the links that follow a result; all of them when it is not on the way."""
        keys = [link.key for link in self.links]
        return self.links[keys.index(key) + 1 :] if key in keys else self.links


def way_to(file: ProjectFile, key: str) -> Way:
    """Return how a result was computed, as the file says: the recipe may have changed since."""
    links: list[Link] = []
    while before := _first_input(file, key):
        about = file.provenance(before)
        model = str(about.get("parts", {}).get("model", ""))
        links.insert(0, Link(before, str(about.get("component", "")), model))
        key = before
    return Way(key, tuple(links[1:]))


def _first_input(file: ProjectFile, key: str) -> str:
    inputs = file.provenance(key).get("inputs", [])
    left_out = {one.key for one in file.left_out.values()}
    if inputs and inputs[0] not in file.entries and inputs[0] not in left_out:
        raise DataError(
            "The inputs of this result are no longer in the project. Run its steps again.",
            code="result-missing",
        )
    return str(inputs[0]) if inputs else ""


def apply_after(
    fitted: Any, steps: list[tuple[str, Any]], data: Any, *, from_data: bool = True
) -> Any:
    """Apply fitted steps, one after the other, to new items.

    Parameters
    ----------
    fitted : the data that the steps were fitted to
    steps : each method and its model; None for a step that has none
    from_data : whether new items are like the data, rather than like a later result
    """
    if from_data and isinstance(fitted, Dataset):
        _require_columns(fitted, data)
    found, begun = data, not from_data
    for use, model in _with_models(steps):
        found = apply_model(use, model, found) if begun else apply_like(fitted, use, model, found)
        begun = True
    return found


def _with_models(steps: list[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    """Pass over steps that only choose items, or whose similarities an embedder has places for.

    Others without a model are refused.
    """
    for at, (use, model) in enumerate(steps):
        known = component(use)
        later = [(component(next_use), fitted) for next_use, fitted in steps[at + 1 :]]
        embedder, fitted = next(
            ((k, m) for k, m in later if not issubclass(k, (Kernel, Graph))), (known, None)
        )
        similar = issubclass(known, (Kernel, Graph)) and issubclass(embedder, Embedder)
        if similar and fitted is not None:
            continue
        if model is not None:
            yield use, model
        elif not (issubclass(known, Transform) and known.chooses_items):
            raise DataError(
                f"{use} is between the data and this result and has no model, so it cannot be "
                f"applied to new items. Train a classifier on the data and these groups.",
                code="no-model",
            )


def _require_columns(fitted: Dataset, data: Any) -> None:
    """Refuse columns without names that are not as many as those of the project's data."""
    items = as_dataset(data)
    if fitted.d and items.d and not items.table and fitted.d != items.d:
        raise DataError(
            f"The data of this project have {fitted.d} columns ({', '.join(fitted.columns):.120}). "
            f"Got {items.d}. Give new rows as the data were before any step.",
            code="columns-mismatch",
        )


def named_like(found: Any, stored: Any) -> Any:
    """Return groups of new items with the names that the groups of the project were given."""
    if isinstance(found, Clustering) and isinstance(stored, Clustering) and not found.names:
        return replace(found, names=stored.names)
    return found
