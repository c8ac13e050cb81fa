"""The candidates of an automatic answer: each with its groups, and as steps to adopt."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from coterie.core import well_known
from coterie.core.catalogue.descriptors import Catalogue
from coterie.core.errors import DataError, RecipeError
from coterie.core.model.dataset import Dataset
from coterie.core.model.recipes import Recipe, Step
from coterie.core.model.results import Clustering
from coterie.core.numerics.partitions.contingency import contingency
from coterie.projects.recipe.edits import added
from coterie.projects.recipe.inputs import type_of

AUTOMATIC = well_known.CLUSTERER_AUTOMATIC


@dataclass(frozen=True, eq=False)
class ListedCandidate:
    """A grouping that the automatic answer considered.

    Attributes
    ----------
    groups : None while they are not at hand
    part : the part of the answer that holds the groups; empty for the answer itself
    expected : agreement with the true groups that the evidence lets expect
    agreement : with the most similar proposal of another family of methods
    stability : agreement with what the method finds on a part of the items; None if not tried
    is_answer : whether it is the answer or one of the alternatives that the verdict names
    steps : what computes the groups; an input "" is the input of the automatic step
    """

    title: str
    family: str
    k: int
    sizes: tuple[int, ...]
    part: str
    expected: float
    agreement: float
    stability: float | None
    unassigned: int
    chosen: bool
    is_answer: bool
    steps: tuple[Mapping[str, Any], ...]
    groups: Clustering | None


def candidates_of(
    answer: Clustering, groups_of: Callable[[str], Clustering | None]
) -> tuple[ListedCandidate, ...]:
    """Return the candidates of an automatic answer, the best first.

    Parameters
    ----------
    groups_of : returns a part of the answer, or None while it is not at hand
    """
    found = [
        ListedCandidate(
            title=str(row["title"]),
            family=str(row["family"]),
            k=int(row["k"]),
            sizes=tuple(int(size) for size in row["sizes"]),
            part=str(row.get("part", "")),
            expected=float(row["expected"]),
            agreement=float(row["agreement"]),
            stability=None if row["stability"] is None else float(row["stability"]),
            unassigned=int(row["unassigned"]),
            chosen=bool(row["chosen"]),
            is_answer=bool(row["answer"]),
            steps=tuple(row["steps"]),
            groups=_groups(row, answer, groups_of),
        )
        for row in answer.details.get("candidates", ())
    ]
    return tuple(sorted(found, key=lambda one: (not one.chosen, not one.is_answer, -one.expected)))


def _groups(
    row: Mapping[str, Any], answer: Clustering, groups_of: Callable[[str], Clustering | None]
) -> Clustering | None:
    if row["chosen"]:
        return answer
    return groups_of(str(row["part"])) if row.get("part") else None


def agreement_of(groups: Clustering, other: Clustering | Dataset | None) -> float | None:
    """Return the adjusted Rand index of groups and others, or known classes; None without them.

    >>> import numpy as np
    >>> groups = Clustering(labels=np.array([0, 0, 1, 1]))
    >>> agreement_of(groups, Clustering(labels=np.array([1, 1, 0, 0])))
    1.0
    >>> agreement_of(groups, Dataset(title="no classes")) is None
    True
    """
    try:
        return float(contingency(groups, other).adjusted_rand())
    except DataError:
        return None


def with_automatic(recipe: Recipe, catalogue: Catalogue) -> tuple[Recipe, str]:
    """Return a recipe with an automatic step, and the step's name.

    One that is there is taken. Otherwise it is added on the data of the last clustering step, or on
    the latest data: there its answer can be compared with the others.
    """
    off = recipe.switched_off()
    for step in recipe.in_order():
        if step.use == AUTOMATIC and step.name not in off:
            return recipe, step.name
    on = [name for name in recipe.names if name not in off]
    types = {name: type_of(recipe, catalogue, name) for name in on}
    groups = [name for name in on if types[name] == "clustering"]
    usable = recipe.ancestors(groups[-1:]) if groups else on
    data = [name for name in usable if types[name] == "dataset"]
    if not data:
        raise RecipeError("There are no data to group. Open a file first.", code="empty-recipe")
    return added(recipe, catalogue, Step("automatic", AUTOMATIC, (data[-1],)))


def adopted(
    recipe: Recipe, automatic: str, steps: Sequence[Mapping[str, Any]]
) -> tuple[Recipe, str]:
    """Return the recipe with the steps of a candidate, and the name of the one with the groups.

    A step that the recipe has already, on the same inputs with the same parameters, is used again.
    The results of the others are known by their keys: the automatic step has computed them.
    """
    names = {"": recipe.step(automatic).of[0]}
    for row in steps:
        of = tuple(names[name] for name in row["of"])
        step = Step(str(row["name"]), str(row["use"]), of, dict(row["params"]))
        twin = next(
            (other for other in recipe.steps if replace(other, name=step.name) == step), None
        )
        if twin is None:
            twin = replace(step, name=recipe.free_name(step.name))
            recipe = recipe.with_step(twin)
        names[str(row["name"])] = twin.name
    return recipe, names[str(steps[-1]["name"])]
