"""Automatic: the groups that the evidence speaks for, without a number to choose."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from coterie.core import (
    Affinity,
    Clusterer,
    Clustering,
    Context,
    Cost,
    Curve,
    Dataset,
    Field,
    Model,
    Output,
)
from coterie.core.numerics.automatic.answer import answer, propose
from coterie.core.numerics.automatic.chain import COORDINATES, MethodChain
from coterie.core.numerics.automatic.links import APART, TOGETHER, links_of
from coterie.core.numerics.automatic.numbers_alone import with_numbers_alone
from coterie.core.numerics.automatic.report import Report
from coterie.core.numerics.automatic.search import Search
from coterie.core.numerics.mixed.columns import table_of, without_weights
from coterie.core.numerics.mixed.factor_model import new_coordinates
from coterie.core.numerics.similarity.check_columns import require_columns
from coterie.core.numerics.similarity.nearest import NearestGroup
from coterie.core.wording import counted

RUN_ON = 10_000  # items that the chosen method is run on; others join the nearest of these
EQUAL = (
    "All items count alike: the weights in the table were not used. To adopt the steps of a "
    "candidate, give the column of weights the role of information."
)
FEWEST = 8  # items; fewer show no groups that could be trusted


class Automatic(Clusterer):
    """Find the groups, and how many there are, from the evidence in the data alone.

    Six families of methods propose groups: density, linkage, cuts and spectra of neighbour graphs,
    means, mixtures, each over its own range. Every candidate is judged without labels: by how far
    different methods agree on it, whether it is found again on a part of the items, how well its
    groups are separated, and whether they could be divided further; what that is worth was learned
    on generated data. The result lists the candidates, says how sure the choice is and what else it
    could be. Columns are standardised; of more than 10, the main directions are taken. Where there
    are categories, the directions are those that several columns share, and means and mixtures are
    k-prototypes and latent classes; what the numbers say alone is offered beside it. Texts and
    given similarities become a graph: cuts, spectra and communities are computed there, the others
    among ten coordinates of it. Above `decide_on` items the choice is made on a random subset, and
    the chosen method is then run on all, or on 10,000, which the others join.
    """

    id, title, version = "automatic", "Automatic", "4"
    needs = ("dataset|affinity",)
    weighs_items = True  # says that it does not use them: a table shall have an answer
    curves = (
        Curve("expected", "expected agreement", "Best expected agreement with the true groups, "
        "for each proposed number of groups."),
        Curve("candidates", "candidates", "Number of groupings proposed so far."),
    )  # fmt: skip

    class Params(Clusterer.Params):
        """How much to look at."""

        decide_on: int = Field(
            3000,
            ge=100,
            description="Number of items used to choose the method; the chosen method runs on "
            "all items, up to 10,000.",
            json_schema_extra={"slider": [500, 10_000], "log": True, "unit": "items"},
        )
        seconds: float = Field(
            0.0,
            ge=0,
            description="Time after which no further family of methods is tried; 0: no limit. "
            "With a limit, the answer may depend on how fast the machine is.",
            json_schema_extra={"slider": [0.0, 600.0], "unit": "s"},
        )
        together: list[list[int | str]] = Field(
            default_factory=list, description=TOGETHER, json_schema_extra={"advanced": True}
        )
        apart: list[list[int | str]] = Field(
            default_factory=list, description=APART, json_schema_extra={"advanced": True}
        )
        repeat: bool = Field(
            True,
            description="Find the candidates again on 70% of the items: stable groups are more "
            "likely to be right.",
            json_schema_extra={"advanced": True},
        )

    def compute(self, source: Dataset | Affinity, *, params: Params, context: Context) -> Output:
        """Return the groups with the share of each item; parts: candidates, model, alternatives."""
        context.check()
        bare = without_weights(source)
        if bare is not source:
            output = self.compute(bare, params=params, context=context)
            groups: Any = output.main
            said = (*groups.notes, EQUAL)
            return Output(replace(groups, notes=said, dataset=_items(source)), output.parts)
        chain = MethodChain(source, context)
        if not chain.related:
            source.clean_features()  # says what is missing
        if source.n < FEWEST or _is_level(source):
            return _no_groups(source)
        asked = {"together": params.together, "apart": params.apart}
        links = links_of(params.together, params.apart, source.n, _items(source), context.check)
        known = links or None
        main = chain.prepared()
        decided = run_on = main
        if main.n > params.decide_on:
            chain.graph = None  # that of all; a sample is compared by its coordinates
            decided = chain.sample(main, params.decide_on)
            known = links.among(np.asarray(decided.details["positions"])) if links else None
        if main.n > RUN_ON:
            run_on = chain.sample(main, max(RUN_ON, params.decide_on))
        X = decided.dense_features()
        search = Search(context, seconds=params.seconds)
        from threadpoolctl import threadpool_limits

        # Products of this size are done before several threads have found each other; and one
        # thread gives the same candidates on any number of cores.
        with threadpool_limits(limits=1):
            candidates, failed = propose(X, search.sources(decided, chain), known)
            if params.repeat:
                candidates = search.found_again(candidates, decided, chain, known)
            table = table_of(chain.columns_of(decided)) if chain.mixed else None
            found = answer(X, candidates, failed, context.check, table, known)
            search.show_curve(found, main.n)
            items = _items(source)
            report = Report(items, main, decided, run_on, found, chain, context, asked)
            output = report.output()
        if chain.mixed and isinstance(source, Dataset) and not search.is_over:
            return with_numbers_alone(output, source, params.as_json(), context)
        return output

    def apply(self, model: Model, data: Dataset, context: Context) -> Clustering:
        """Return the group of each new item: that of the nearest item that was grouped."""
        arrays = model.arrays
        context.check()
        if "layout" in model.settings:
            X = new_coordinates(model, data)
        else:
            require_columns(data, len(arrays["centre"]))
            X = (data.dense_features() - arrays["centre"]) @ arrays["map"] + arrays["offset"]
        near = NearestGroup(np.asarray(arrays["samples"]), np.asarray(arrays["labels"]))
        labels = near.labels_of(X, check=context.check, workers=context.workers)
        return Clustering(title=self.title, dataset=data, labels=labels)

    def estimate(self, source: Dataset | Affinity, *, params: Params) -> Cost:
        """Candidates on the subset, and the chosen method on all."""
        n, m = source.n, min(source.n, params.decide_on)
        d = source.d if isinstance(source, Dataset) else COORDINATES
        X: Any = source.features if isinstance(source, Dataset) else None
        size = 2 * X.nnz if hasattr(X, "nnz") else n * d
        compared = 16 * n * n if isinstance(source, Dataset) and source.texts and not d else 0
        return Cost(
            bytes=40 * m * m + 24 * size + 160 * n + compared + (128 << 20),
            seconds=0.5 + 4e-3 * m + 2e-5 * n * (1 + d / 10),
        )


def _items(source: Dataset | Affinity) -> Dataset | None:
    return source if isinstance(source, Dataset) else source.dataset


def _is_level(source: Dataset | Affinity) -> bool:
    """Whether all items are equal."""
    if isinstance(source, Affinity) or source.features is None:
        return False
    X: Any = source.clean_features()
    if hasattr(X, "tocsr"):
        return np.array_equal(X.max(axis=0).toarray(), X.min(axis=0).toarray())
    return bool((np.ptp(X, axis=0) == 0).all())


def _no_groups(source: Dataset | Affinity) -> Output:
    few = f"there are only {counted(source.n, 'item')}"
    why = "all items are equal" if source.n >= FEWEST else few
    return Output(
        Clustering(
            title="Automatic: no groups",
            dataset=_items(source),
            labels=np.zeros(source.n, dtype=np.int64),
            membership=np.ones((source.n, 1)),
            notes=(f"No groups: {why}.",),
            details={"verdict": "no groups", "sentence": f"No groups: {why}.", "candidates": []},
        )
    )
