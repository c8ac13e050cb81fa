"""Mixture cuts: the Gaussians of a mixture, put together in groups that are seldom confused."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from coterie.core import (
    Clusterer,
    Clustering,
    Context,
    Cost,
    DataError,
    Dataset,
    Field,
    Output,
    ParameterError,
)
from coterie.core.numerics.mixtures.atoms import atom_graph, posteriors
from coterie.core.numerics.spectral.grouping import Spectral, grouped, pairs_for
from coterie.core.numerics.spectral.spectra import MOST_EIGENVALUES, graph_spectrum
from coterie.core.wording import counted

PER_ATOM = 10  # items that a Gaussian should have at least, unless the number is given
MOST_ATOMS = 20
MIXTURE = "clusterer/gaussian-mixture"


class MixtureCuts(Clusterer):
    """Groups of any shape, each made of several Gaussians of one mixture.

    A mixture with many more Gaussians (atoms) than groups follows any density. The atoms are put
    together so that the items of a group are seldom taken for another's: the normalised cut of
    the graph in which two atoms are joined by the products of their posteriors. An item belongs to
    the group whose atoms have the largest posterior together. The density stays that of the
    mixture. Needs many more items than atoms, and few columns: reduce them first (transform/pca).
    """

    id, title = "mixture-cuts", "Mixture cuts"
    reference = (
        "Hennig (2010). Methods for merging Gaussian mixture components. Advances in Data Analysis "
        "and Classification 4(1)."
    )
    needs = ("dataset",)

    class Params(Clusterer.Params):
        """How many groups, of how many Gaussians."""

        k: int = Field(
            0,
            ge=0,
            description="Number of groups; 0: as many as there are eigenvalues of the atoms' graph "
            "before the largest gap.",
            json_schema_extra={"slider": [0, 20]},
        )
        atoms: int = Field(
            0,
            ge=0,
            description="Number of Gaussians; 0: 20, or fewer when there are few items for the "
            "columns.",
            json_schema_extra={"slider": [0, 100]},
        )
        covariance: Literal["full", "tied", "diagonal", "spherical"] = Field(
            "full",
            description="Shape of the Gaussians: any (full), one shape for all (tied), aligned "
            "with the columns (diagonal), or round (spherical).",
        )
        restarts: int = Field(
            3,
            ge=1,
            description="Number of starts of the mixture; the most likely fit is kept.",
            json_schema_extra={"slider": [1, 50], "advanced": True},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Output:
        """Fit the atoms, cut their graph, and add up their posteriors."""
        context.check()
        data.dense_features()  # what is missing is said here, not by the mixture
        atoms = _atoms(data, params)
        if params.k > atoms:
            raise ParameterError(
                f"There can be no more groups than Gaussians. Got {params.k} and {atoms}: raise "
                "'atoms', or set it to 0.",
                code="too-many-groups",
            )
        asked = {"k": atoms, "covariance": params.covariance, "restarts": params.restarts}
        context.progress(0, 3, counted(atoms, "Gaussian"))
        seed = int(context.rng.integers(2**31 - 1))
        mixture: Any = context.run(MIXTURE, data, params=asked, seed=seed).main
        shares = np.asarray(mixture.membership)
        context.progress(2, 3, "cutting")
        graph = atom_graph(shares)
        spectrum = graph_spectrum(graph, pairs_for(graph, params.k), groups=MOST_EIGENVALUES)
        cut = grouped(
            Spectral.of(graph, "mixture cuts", spectrum, spectrum.walk_vectors),
            params.k,
            discretise="yu-shi",
            restarts=10,
            refine=True,
            context=context,
        )
        assert isinstance(cut.main, Clustering)
        together = cut.main.labels
        membership = posteriors(shares, together)
        labels = membership.argmax(axis=1)
        k = membership.shape[1]
        parts = [int((together == group).sum()) for group in range(k)]
        notes = [
            f"{counted(atoms, 'Gaussian')} in {counted(k, 'group')}: {', '.join(map(str, parts))}.",
            *(note for note in cut.main.notes if "suggests" in note),
            *(note for note in mixture.notes if "limit" in note),
        ]
        context.progress(1, 1, "done")
        groups = Clustering(
            title=f"Mixture cuts, {counted(k, 'group')}",
            dataset=data,
            labels=labels,
            membership=membership,
            notes=tuple(notes),
            details={
                "k": k,
                "atoms": together.tolist(),
                "normalised_cut": cut.main.details["normalised_cut"],
                # Of the rule that takes the most likely group, judged by the model itself.
                "bayes_risk": float(1 - membership.max(axis=1).mean()),
            },
        )
        return Output(groups, {"spectrum": cut.parts["spectrum"]})

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """The mixture; its graph is small."""
        n, d, atoms = data.n, data.d, _atoms(data, params)
        return Cost(
            bytes=32 * n * (d + atoms) + 24 * atoms * d * d + (8 << 20),
            seconds=params.restarts * 30 * (1e-3 + n * atoms * d * (1e-9 * d + 2e-9)),
        )


def _atoms(data: Dataset, params: MixtureCuts.Params) -> int:
    if data.n < 2:
        raise DataError(
            "A variance needs at least 2 items. Got 1; open a larger table.", code="too-few-items"
        )
    if params.atoms:
        return min(params.atoms, data.n)
    columns = data.d if params.covariance == "full" else 1
    few = max(1, data.n // (PER_ATOM * max(1, columns)))
    return min(data.n, max(params.k, min(MOST_ATOMS, few), 2))
