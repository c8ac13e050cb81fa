"""What a dominant set costs, by each dynamics.

Dense Gaussian similarities of points in ten clouds, narrow and wide, at n = 500, 2,000 and 8,000,
all run to the same residual ‖min(x, xᵀAx − Ax)‖ = 1e-6 on a newly computed A x. The peer is plain
replicator dynamics as scripts run it: x ← x ∘ Ax / Σ in numpy, which tests its residual with the
product it has anyway. Limits: the default dynamics 100 × faster at n = 2,000 when wide, 20 × when
narrow, never slower at n = 500; a whole dominant set at n = 8,000 (the component, its checks of
the input included) for 20 bare products; one iteration of `replicator` within 1.25 × of one
product; a set with seeds within 2 × of one without. Last a complete peel-off of a sparse graph,
n = 100,000 with 20 neighbours each, and its memory against the graph's. `--quick` leaves n = 8,000
out and takes a tenth of the graph. Times are processor seconds; one thread
(OPENBLAS_NUM_THREADS=1) keeps them comparable on a busy machine.
"""

from __future__ import annotations

import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator

import numpy as np
from tools.measuring import report

from coterie.core import Affinity, Context, Floats
from coterie.core.numerics.dynamics import simplex
from coterie.core.numerics.dynamics.exponential import exponential
from coterie.core.numerics.dynamics.game import Game
from coterie.core.numerics.dynamics.infection import infection_immunisation
from coterie.core.numerics.dynamics.replicator import replicator
from coterie.core.numerics.dynamics.state import State
from coterie.core.numerics.similarity.distances import squared_distances
from coterie.plugins.clusterers.dominant_constrained import DominantConstrained
from coterie.plugins.clusterers.dominant_sets import DominantSets

RESIDUAL = 1e-6
REPETITIONS = 5
MOST_SECONDS = 30.0  # after which a slow peer is stopped: its ratio is then a lower bound
WIDTHS = {"narrow": 0.1, "wide": 1.0}  # of the median distance


def seconds(action: Callable[[], object], repetitions: int = REPETITIONS) -> list[float]:
    """Processor seconds of `action`, each time it was repeated."""
    taken = []
    for _ in range(repetitions):
        began = time.process_time()
        action()
        taken.append(time.process_time() - began)
    return taken


def clouds(n: int, d: int = 5) -> Floats:
    """Points in ten clouds."""
    rng = np.random.default_rng(0)
    centres = 4 * rng.random((10, d))
    return centres[rng.integers(10, size=n)] + 0.3 * rng.normal(size=(n, d))


def gaussian(X: Floats, width: float) -> Floats:
    """Similarities, ones on the diagonal, of a width in units of the median distance."""
    A = squared_distances(X)
    A /= -2 * width**2 * float(np.median(A[:500]))
    return np.exp(A, out=A)


def plain_replicator(A: Floats) -> tuple[int, bool]:
    """The loop of the peer scripts, on A with a zero diagonal; its iterations, whether it ended."""
    x = np.full(len(A), 1 / len(A))
    began = time.process_time()
    for iteration in range(10_000_000):
        payoffs = A @ x
        if simplex.residual(x, payoffs) <= RESIDUAL:
            return iteration, True
        if time.process_time() - began > MOST_SECONDS:
            break
        x = x * payoffs
        x /= x.sum()
    return iteration, False


def settle(game: Game, states: Iterator[State]) -> tuple[int, bool]:
    """Run a dynamics until its residual, on a newly computed A x, is small enough."""
    began = time.process_time()
    for state in states:
        # The gap alone is enough to see that it is not there yet.
        close = max(state.gap, state.deviation) <= 100 * RESIDUAL
        if close and simplex.residual(state.x, game.payoffs(state.x)) <= RESIDUAL:
            return state.iteration, True
        if time.process_time() - began > MOST_SECONDS:
            break
    return state.iteration, False


def one_set(n: int, kind: str) -> None:
    """The dynamics against each other."""
    A = gaussian(clouds(n), WIDTHS[kind])
    affinity = Affinity(values=A)
    game = Game.of(affinity)
    bare = A.copy()
    np.fill_diagonal(bare, 0.0)
    best = int(bare.sum(axis=1).argmax())
    name = f"n = {n}, {kind}"
    iterations: dict[str, tuple[int, bool]] = {}

    def measured(what: str, run: Callable[[], tuple[int, bool]], repetitions: int) -> list[float]:
        return seconds(lambda: iterations.update({what: run()}), repetitions)

    peer = measured("plain", lambda: plain_replicator(bare), 1)[0]
    starts: dict[str, Callable[[], Iterator[State]]] = {
        "infection-immunisation": lambda: infection_immunisation(game, simplex.vertex(n, best)),
        "replicator": lambda: replicator(game, simplex.barycentre(n), max_iterations=10**7),
        "exponential": lambda: exponential(game, simplex.barycentre(n), max_iterations=10**7),
    }
    for what, start in starts.items():
        slow = what != "infection-immunisation"
        if slow and n > 2000:
            continue
        ours = measured(what, lambda start=start: settle(game, start()), 1 if slow else REPETITIONS)  # type: ignore[misc]
        steps, there = iterations[what]
        plain_steps, plain_there = iterations["plain"]
        unfinished = ("" if there else ", unfinished") + (
            "" if plain_there else ", peer unfinished"
        )
        report(
            f"{name}, {what} ({steps} iterations{unfinished})",
            ours,
            f"plain replicator ({plain_steps} iterations)",
            peer,
        )
        print(f"  {peer / statistics.median(ours):.1f} times as fast")


def in_products(n: int, kind: str) -> None:
    """A whole set, and one replicator iteration, in bare products of a matrix with a vector."""
    A = gaussian(clouds(n), WIDTHS[kind])
    affinity = Affinity(values=A)
    x = simplex.barycentre(n)
    product = statistics.median(seconds(lambda: A @ x, 9))

    def component() -> object:
        return DominantSets().compute(affinity, params=DominantSets.Params(k=1), context=Context())

    report(f"n = {n}, {kind}, a whole dominant set", seconds(component, 3), "one product", product)
    states = replicator(Game.of(affinity), x, max_iterations=10**6)
    next(states)
    report(
        f"n = {n}, {kind}, one replicator iteration",
        seconds(lambda: next(states), 9),
        "one product",
        product,
    )


def constrained(n: int, kind: str) -> None:
    """A set that must have some items in it, against one that is free."""
    affinity = Affinity(values=gaussian(clouds(n), WIDTHS[kind]))

    def free() -> object:
        return DominantSets().compute(affinity, params=DominantSets.Params(k=1), context=Context())

    peer = statistics.median(seconds(free, 3))
    for count in (1, 5):
        seeds = np.random.default_rng(1).choice(n, count, replace=False).tolist()
        params = DominantConstrained.Params(items=seeds)

        def held(params: DominantConstrained.Params = params) -> object:
            return DominantConstrained().compute(affinity, params=params, context=Context())

        taken = seconds(held, 3)
        report(f"n = {n}, {kind}, with {count} seeds in it", taken, "a set without seeds", peer)


def sparse(n: int) -> None:
    """A complete peel-off of a graph of 20 neighbours each."""
    from scipy.sparse import csr_array
    from scipy.spatial import cKDTree

    X = np.random.default_rng(0).random((n, 3))
    found_distances, found_neighbours = cKDTree(X).query(X, 21)
    distance = np.asarray(found_distances)[:, 1:].ravel()
    neighbour = np.asarray(found_neighbours)[:, 1:].ravel()
    weight = np.exp(-(distance**2) / (2 * float(np.median(distance)) ** 2))
    graph = csr_array((weight, (np.repeat(np.arange(n), 20), neighbour)), shape=(n, n))
    affinity = Affinity(sparse=graph.maximum(graph.T).tocsr())
    held = affinity.stored
    size = (held.data.nbytes + held.indices.nbytes + held.indptr.nbytes) / 1e6
    tracemalloc.start()
    began = time.process_time()
    found = DominantSets().compute(affinity, params=DominantSets.Params(), context=Context())
    taken = time.process_time() - began
    peak = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    print(f"sparse, n = {n}: {found.k} sets in {taken:.1f} s (memory being watched)")
    report(f"sparse, n = {n}, memory", [peak], "the graph itself", size, "MB")


def main() -> None:
    """Measure all, or less."""
    quick = "--quick" in sys.argv
    for n in (500, 2000) if quick else (500, 2000, 8000):
        for kind in WIDTHS:
            one_set(n, kind)
    for kind in WIDTHS:
        in_products(2000 if quick else 8000, kind)
        constrained(2000 if quick else 8000, kind)
    sparse(10_000 if quick else 100_000)


if __name__ == "__main__":
    main()
