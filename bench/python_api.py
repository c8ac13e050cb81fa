"""What the Python API adds to a method's own time: `coterie.run`, and the fit of an estimator.

Each is the processor's time of this process against that of the component called by itself, in the
same run and in turn, for 1,000 items × 10 columns. Limits: 5 ms added by `coterie.run`, and a fit
within 1.1 × of the component, where that takes long enough to be measured.
"""

from __future__ import annotations

import statistics
import sys
import warnings
from collections.abc import Callable

import numpy as np
from tools.measuring import cpu_seconds_of

import coterie
import coterie.sklearn
from coterie.core import Context, Dataset
from coterie.registry import component

N, COLUMNS, REPETITIONS = 1000, 10, 15
MOST_ADDED, MOST_TIMES = 5e-3, 1.1
METHODS = {
    "clusterer/kmeans": {"k": 3},
    "clusterer/gaussian-mixture": {"k": 3},
    "embedder/pca": {},
    "transform/standardise": {},
    "kernel/gaussian": {"sigma": 1.0},
    "ranker/outliers": {},
}


def main() -> None:
    """Measure each method in three ways, in turn."""
    warnings.simplefilter("ignore")
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(N // 4, COLUMNS)) + 4 * place for place in range(4)])
    failed = []
    for use, params in METHODS.items():
        made, data = component(use), Dataset(features=X)
        settings, estimator = made.Params(**params), coterie.sklearn.estimator(use)(**params)

        def alone(made=made, data=data, settings=settings) -> object:
            return made().compute(data, params=settings, context=Context())

        def run(use=use, params=params) -> object:
            return coterie.run(use, X, **params)

        def fit(estimator=estimator) -> object:
            return estimator.fit(X)

        own, ran, fitted = _in_turn(alone, run, fit)
        added, times = ran - own, fitted / own
        print(
            f"{use}: {1e3 * own:.2f} ms by itself; coterie.run adds {1e3 * added:.2f} ms "
            f"(limit {1e3 * MOST_ADDED:.0f}); fit adds {1e3 * (fitted - own):.2f} ms, "
            f"{times:.2f} × (limit {MOST_TIMES})",
            flush=True,
        )
        # A fit of a method that itself takes a few milliseconds is held to the same 5 ms.
        if added > MOST_ADDED or (times > MOST_TIMES and fitted - own > MOST_ADDED):
            failed.append(use)
    if failed:
        sys.exit(f"beyond a limit: {', '.join(failed)}")


def _in_turn(*actions: Callable[[], object]) -> list[float]:
    """Return the median of the processor's seconds of each; the first round does not count."""
    taken: list[list[float]] = [[] for _ in actions]
    for number in range(REPETITIONS + 1):
        for action, seconds in zip(actions, taken, strict=True):
            (found,) = cpu_seconds_of(action)
            if number:
                seconds.append(found)
    return [statistics.median(seconds) for seconds in taken]


if __name__ == "__main__":
    main()
