"""Runs the best candidates as a person would, and writes down what was found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from coterie.core.api.components import Output
from coterie.core.api.context import Context
from coterie.core.errors import Cancelled, CoterieError
from coterie.core.model.arrays import Floats, Ints
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Clustering, Model, Score
from coterie.core.numerics.automatic.agreement import pairwise_adjusted_rand
from coterie.core.numerics.automatic.answer import WHOLE, Answer, Candidate, compact
from coterie.core.numerics.automatic.chain import MethodChain
from coterie.core.numerics.automatic.choice import Verdict, memberships, verdict_on
from coterie.core.numerics.automatic.links import kept_to, links_of
from coterie.core.numerics.automatic.words import sentence_of, title_of, why_not_more
from coterie.core.numerics.density.tree import nearest_group_fill
from coterie.core.numerics.partitions.groups import by_size
from coterie.core.numerics.similarity.nearest import NearestGroup
from coterie.core.wording import counted

SHOWN: Final = 8  # candidates that are run as steps of their own and listed
ALIKE: Final = 0.95  # agreement from which two groupings are the same answer
SAMPLES: Final = 5000  # items that a model keeps at most


@dataclass(frozen=True, eq=False)
class Listed:
    """A candidate that was run as steps of its own."""

    place: int
    groups: Clustering
    labels: Ints
    """Of all items, with every item in a group."""
    replicated: float
    """Agreement with the proposal that it was chosen for."""
    answer: int
    """Place of the candidate that it is listed for: its own, or one that it is like."""
    run: bool = True
    """Whether it was run; not where the method is known to give the same again."""


class Report:
    """Runs the best candidates as a person would, and writes down what was found."""

    def __init__(
        self,
        data: Dataset | None,
        main: Dataset,
        decided: Dataset,
        run_on: Dataset,
        found: Answer,
        chain: MethodChain,
        context: Context,
        asked: Mapping[str, Any] | None = None,
    ) -> None:
        self._data, self._main, self._decided = data, main, decided
        self._found, self._chain, self._context = found, chain, context
        self._run_on, self._asked = run_on, asked or {}
        together, apart = (self._asked.get(what, ()) for what in ("together", "apart"))
        self._links = links_of(together, apart, main.n, data, context.check)
        self._whole = decided is main
        self._run_positions = None if run_on is main else np.asarray(run_on.details["positions"])
        positions = None if self._whole else decided.details["positions"]
        self._positions = np.arange(main.n) if positions is None else np.asarray(positions)
        self._failed = dict(found.failed)

    def output(self) -> Output:
        """Return the result and its parts."""
        found = self._found
        if found.candidates[found.choice.answers[0]].family == WHOLE:
            return self._published(None, self._listed(found.choice.answers[1:]))
        listed = self._listed(found.choice.answers)
        if not listed:
            return self._published(None, [])
        # What its own method does not give again is not the answer, however good it looked.
        best = max(listed, key=lambda one: found.choice.expected[one.place] * one.replicated)
        if not best.run and (again := self._realised(best.place)) is not None:
            again = replace(again, answer=best.answer)
            listed[listed.index(best)] = best = again
        return self._published(best, listed)

    def _listed(self, answers: Sequence[int]) -> list[Listed]:
        """Run the answers, and the best of what else there is, as methods of their own."""
        listed: list[Listed] = []
        for number, place in enumerate(self._to_list(answers)):
            self._context.progress(0.75 + 0.02 * number, 1, "running the best candidates")
            one = self._claimed(place) if number else self._found_by_some_method(place)
            if one is not None and all(one.place != other.place for other in listed):
                listed.append(one)
        return listed

    def _claimed(self, place: int) -> Listed | None:
        """List a candidate without running it again, where its method starts as it did."""
        candidate = self._found.candidates[place]
        same = self._whole and not self._links and self._chain.starts_alike(candidate.family)
        if not same:
            return self._found_by_some_method(place)
        labels = by_size(candidate.labels)
        groups = self._chain.claimed(self._main, candidate.family, candidate.setting, labels)
        return Listed(place, groups, labels, 1.0, place, run=False)

    def _found_by_some_method(self, place: int) -> Listed | None:
        """Run a candidate; where that gives other groups, the one of another family like it."""
        one, twin = self._realised(place), self._twin(place)
        if one is not None and (
            one.replicated >= ALIKE or self._found.agreement[place, twin] < ALIKE
        ):
            return one
        other = self._realised(twin)
        if other is None or (one is not None and one.replicated >= other.replicated):
            return one
        return replace(other, answer=place)

    def _realised(self, place: int) -> Listed | None:
        """Run a candidate as a method of its own; None, and a remark, where that fails."""
        candidate = self._found.candidates[place]
        try:
            setting = self._setting_for_all(candidate)
            groups = self._chain.realised(self._run_on, candidate.family, setting)
        except Cancelled:
            raise
        except CoterieError as error:
            self._failed[self._title(candidate.family, candidate.k)] = str(error)
            return None
        X = self._run_on.dense_features()
        labels = compact(nearest_group_fill(X, groups.labels))
        if self._run_on is not self._main:
            near = NearestGroup(X, labels)
            labels = near.labels_of(
                self._main.dense_features(),
                check=self._context.check,
                workers=self._context.workers,
            )
        labels = kept_to(self._links, self._main.dense_features(), compact(labels))
        labels = by_size(compact(labels))
        again = _agreement(labels[self._positions], candidate.labels)
        return Listed(place, groups, labels, again, place)

    def _title(self, family: str, k: int) -> str:
        if family in self._chain.asked:
            return f"{self._chain.asked[family].title}, {counted(k, 'group')}"
        return title_of(family, k, mixed=self._chain.mixed)

    def _called(self, one: Listed) -> str:
        return self._title(self._found.candidates[one.place].family, int(one.labels.max()) + 1)

    def _expected(self, one: Listed) -> float:
        """The agreement with the truth of what a method gives: less where that is not the proposal.

        A mixture from another start, or a method on more items, may give other groups than those
        that were judged.
        """
        return float(self._found.quality[one.place]) * one.replicated

    def _setting_for_all(self, candidate: Candidate) -> int:
        """The setting that gives the same groups of more items as of those decided on.

        A number of groups stays; a smallest size grows with the number of items.
        """
        if candidate.family != "density":
            return candidate.setting
        return round(candidate.setting * self._run_on.n / self._decided.n)

    def _twin(self, place: int) -> int:
        """The candidate of another family that is most like this one."""
        own = self._found.candidates[place].family
        agreement = [
            -1.0 if other.family in (own, WHOLE) else float(self._found.agreement[place, number])
            for number, other in enumerate(self._found.candidates)
        ]
        return int(np.argmax(agreement))

    def _to_list(self, answers: Sequence[int]) -> list[int]:
        found = self._found
        wanted = [place for place in answers if found.candidates[place].family != WHOLE]
        if not self._whole:
            return wanted  # each costs a run on all items
        for place in np.argsort(-found.choice.expected, kind="stable").tolist():
            if len(wanted) >= SHOWN:
                break
            alike = found.agreement[place, wanted] if wanted else np.zeros(1)
            if found.candidates[place].family != WHOLE and alike.max() < ALIKE:
                wanted.append(place)
        return wanted

    def _published(self, best: Listed | None, listed: Sequence[Listed]) -> Output:
        found = self._found
        others = [one for one in listed if one is not best]
        others.sort(key=lambda one: one.answer not in found.choice.answers)  # the answers first
        places = {one.place: f"alternative-{number}" for number, one in enumerate(others, start=1)}
        rows = [{**self._row(one, best), "part": places.get(one.place, "")} for one in listed]
        labels = np.zeros(self._main.n, dtype=np.int64) if best is None else best.labels
        expected = float(found.quality[found.choice.answers[0]])
        verdict: Verdict = "no groups"
        if best is not None:
            expected = self._expected(best)
            shared = float(found.choice.shared[best.answer])
            verdict = verdict_on(expected, int(best.labels.max()) + 1, shared)
        k = int(labels.max()) + 1
        chosen = None if best is None else best.answer
        sentence = sentence_of(found, chosen, k, expected, verdict)
        notes = [sentence]
        if best is not None:
            notes += why_not_more(expected, [(self._called(o), self._expected(o)) for o in others])
        confirmed = self._confirmed(best) if best is not None else None
        notes += self._where(confirmed)
        notes += self._chain.said
        if self._links:
            notes.append(self._kept())
        notes += [f"Left out: {name} ({why.rstrip('.')})." for name, why in self._failed.items()]
        groups = Clustering(
            title=f"Automatic: {counted(k, 'group')}" if best else "Automatic: no groups",
            dataset=self._data,
            labels=labels,
            membership=self._shares(labels, k),
            notes=tuple(notes),
            details={
                "verdict": verdict,
                "sentence": sentence,
                "expected": expected,
                "curve": [[number, round(value, 4)] for number, value in found.curve()],
                "candidates": rows,
                "proposed": len(found.candidates) - 1,
                "left_out": self._failed,
                "decided_on": len(self._positions),
                "run_on": self._run_on.n,
                "confirmed": confirmed,
            },
        )
        parts: dict[str, Any] = {} if self._chain.related else {"model": self._model(labels)}
        if rows:
            parts["candidates"] = _table(rows, self._data)
        for one in others:
            parts[places[one.place]] = Clustering(
                title=self._called(one),
                dataset=self._data,
                labels=one.labels,
            )
        self._context.progress(1, 1, "done")
        return Output(groups, parts)

    def _row(self, one: Listed, best: Listed | None) -> dict[str, Any]:
        found, candidate = self._found, self._found.candidates[one.place]
        k = int(one.labels.max()) + 1
        others = [
            place
            for place, other in enumerate(found.candidates)
            if other.family not in (candidate.family, WHOLE)
        ]
        agreement = float(found.agreement[one.place, others].max()) if others else 0.0
        return {
            "title": self._called(one),
            "family": candidate.family,
            "k": k,
            "expected": round(self._expected(one), 4),
            "agreement": round(agreement, 4),
            "stability": None if candidate.again is None else round(candidate.again, 4),
            "sizes": np.bincount(one.labels).tolist(),
            "unassigned": int((one.groups.labels < 0).sum()),
            "chosen": one is best,
            "answer": one.answer in found.choice.answers,
            "steps": self._steps(one),
        }

    def _steps(self, one: Listed) -> list[Mapping[str, Any]]:
        """What leads from the data to its groups."""
        steps: Any = self._chain.steps_on_all(one.groups, self._main.n / self._run_on.n)
        return self._chain.with_links(steps, self._main, self._asked) if self._links else steps

    def _kept(self) -> str:
        """How the answer keeps to the links."""
        said = "The groups keep to what was said to belong together or apart"
        place = self._found.choice.answers[0]
        by_itself = not self._found.candidates[place].broken
        return f"{said}{', as the method itself found them' if by_itself else ''}."

    def _confirmed(self, best: Listed) -> float | None:
        """How far other items than those decided on are in the groups of their nearest of these."""
        if self._whole:
            return None
        on = self._run_positions
        others = np.setdiff1d(np.arange(self._main.n) if on is None else on, self._positions)
        if not len(others):
            return None
        candidate = self._found.candidates[best.place]
        near = NearestGroup(self._decided.dense_features(), candidate.labels)
        expected = near.labels_of(self._main.dense_features()[others], check=self._context.check)
        return round(_agreement(expected, best.labels[others]), 4)

    def _where(self, confirmed: float | None) -> list[str]:
        if self._whole:
            return []
        text = f"Decided on a random {counted(len(self._positions), 'item')}"
        if confirmed is not None:
            text += f"; on others the same groups are found with an agreement of {confirmed:.0%}"
        if self._run_on is self._main:
            return [f"{text}."]
        return [
            f"{text}. The groups are those of a random {counted(self._run_on.n, 'item')}; every "
            "other item is in the group of the nearest of these. Adopted as a step, a method runs "
            "on all items, and its groups may differ somewhat."
        ]

    def _shares(self, labels: Ints, k: int) -> Floats:
        """The share of each item in each group over all candidates, by how likely they are."""
        if k == 1:
            return np.ones((self._main.n, 1))
        weights = self._found.choice.weights
        likely = np.flatnonzero(weights > 1e-3 * weights.max())
        others = [self._found.candidates[place].labels for place in likely]
        own = labels[self._positions]
        if int(own.max()) + 1 < k:
            return np.eye(k)[labels]
        shares = memberships(own, others, weights[likely])
        # The items themselves are in the group that was chosen, whatever the others say.
        shares = 0.5 * shares + 0.5 * np.eye(k)[own]
        if self._whole:
            return shares
        return self._extended(shares, labels, k)

    def _extended(self, shares: Floats, labels: Ints, k: int) -> Floats:
        """Every item with the mean shares of the decided items of its group."""
        own = labels[self._positions]
        means = np.array([shares[own == group].mean(axis=0) for group in range(k)])
        every = means[labels]
        every[self._positions] = shares
        return np.asarray(every)

    def _model(self, labels: Ints) -> Model:
        X = self._main.dense_features()
        step = max(1, -(-len(X) // SAMPLES))
        kept = np.arange(0, len(X), step)
        arrays = {"samples": X[kept], "labels": labels[kept]}
        settings: dict[str, Any] = {}
        if self._chain.mixed:
            factors = self._chain.models[0]
            arrays |= factors.arrays
            settings = dict(factors.settings)
        else:
            arrays |= _linear(self._chain.models)
        title = "Items and their groups"
        return Model(title=title, dataset=self._data, arrays=arrays, settings=settings)


def _agreement(first: Ints, second: Ints) -> float:
    both = np.stack([compact(first), compact(second)])
    return max(0.0, float(pairwise_adjusted_rand(both)[0, 1]))


def _linear(models: Sequence[Model]) -> dict[str, Floats]:
    """The transforms that prepared the data as one map: (x − centre) · map + offset."""
    first = models[0].arrays
    if "deviation" not in first:
        axes = first["axes"].T
        return {"centre": np.zeros(len(axes)), "map": axes, "offset": np.zeros(axes.shape[1])}
    deviation = first["deviation"]
    scale = np.where(deviation > 0, 1 / np.where(deviation > 0, deviation, 1.0), 0.0)
    if len(models) == 1:
        return {"centre": first["mean"], "map": np.diag(scale), "offset": np.zeros(len(scale))}
    main = models[1].arrays
    turned = scale[:, None] * main["axes"].T
    return {"centre": first["mean"], "map": turned, "offset": -main["mean"] @ main["axes"].T}


def _table(rows: Sequence[Mapping[str, Any]], data: Dataset | None) -> Score:
    """The candidates as a table of numbers; stability only where it is known of all."""
    columns = {
        "groups": [row["k"] for row in rows],
        "expected agreement": [row["expected"] for row in rows],
        "agreement": [row["agreement"] for row in rows],
        "stability": [row["stability"] for row in rows],
        "smallest": [min(row["sizes"]) for row in rows],
        "largest": [max(row["sizes"]) for row in rows],
    }
    if None in columns["stability"]:
        del columns["stability"]
    return Score(
        title="Candidates",
        dataset=data,
        value=max(row["expected"] for row in rows),
        table=np.array(list(columns.values()), dtype=np.float64).T,
        rows=tuple(row["title"] for row in rows),
        columns=tuple(columns),
    )
