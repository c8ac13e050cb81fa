"""Split a group: find the groups inside one group of another step."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import numpy as np

from coterie.core import (
    Clusterer,
    Clustering,
    Context,
    Cost,
    Dataset,
    Field,
    ParameterError,
)
from coterie.core.model.group_names import group_name
from coterie.core.model.subset import chosen_items
from coterie.core.numerics.partitions.groups import by_size
from coterie.core.numerics.partitions.regrouping import divided, require_groups_of
from coterie.core.wording import counted

Method = Literal["automatic", "kmeans", "genie", "gaussian-mixture", "hdbscan"]
WITHOUT_NUMBER = ("automatic", "hdbscan")


class SplitGroup(Clusterer):
    """Divide one group into sub-groups with a method of your choice; all others stay.

    All other groups stay as they are: with their numbers, names and colours. The first sub-group
    keeps the number of the group, the others come after all groups. Sub-groups are in the order of
    their sizes.
    """

    id, title = "split-group", "Split a group"
    needs = ("clustering", "dataset")
    weighs_items = True

    class Params(Clusterer.Params):
        """Which group, how, and into how many."""

        group: int = Field(1, ge=1, description="Number of the group to divide, from 1.")
        method: Method = Field("automatic", description="How the groups inside it are found.")
        k: int = Field(
            2,
            ge=2,
            description="Number of sub-groups; ignored by methods that choose it themselves.",
            json_schema_extra={"slider": [2, 20]},
        )

    def compute(
        self, groups: Clustering, data: Dataset, *, params: Params, context: Context
    ) -> Clustering:
        """Return the clustering with the group divided."""
        context.check()
        require_groups_of(groups, data, to="be split")
        if params.group > groups.k:
            raise ParameterError(
                f"There are groups 1 to {groups.k}. Got group {params.group}.", code="unknown-group"
            )
        at = params.group - 1
        members = groups.members(at)
        some = chosen_items(data, members)
        asked: dict[str, Any] = {} if params.method in WITHOUT_NUMBER else {"k": params.k}
        if params.method == "hdbscan":
            asked = {"rest": "nearest"}
        inside: Any = context.run(f"clusterer/{params.method}", some, params=asked).main
        made = divided(groups, at, by_size(np.asarray(inside.labels)))
        found = made.k - groups.k + 1
        name = group_name(at, groups.names)
        what = f"{counted(found, 'sub-group')} of {name}" if found > 1 else f"{name} stays whole"
        return replace(made, title=f"{counted(made.k, 'group')}: {what}", notes=(f"{what}.",))

    def estimate(self, groups: Clustering, data: Dataset, *, params: Params) -> Cost:
        """The methods look at no more than a copy of the group, and some thousand pairs."""
        return Cost(bytes=200 * groups.n + 24 * data.n * data.d + (64 << 20), seconds=2.0)
