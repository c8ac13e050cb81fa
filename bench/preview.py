"""How soon a moved slider is seen: from asking for a preview of 500 items to its picture.

Limit: 100 ms, for a Gaussian kernel on 500 of 5,000 items with 20 features, in an engine process
of its own; the picture is worked out as the Affinity view does it, ordered by known class. The
second line is the engine's part alone, the third a slider that moves 60 times a second.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from tools.measuring import report

from coterie.core.engine.options import EngineOptions
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Ints
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.gui.views.affinity.matrix_image import MatrixRequest, work_out
from coterie.projects.jobs.step_previews import StepPreview
from coterie.projects.session import Session

LIMIT = 100.0  # ms
MOVES, INTERVAL = 60, 1 / 60


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        session = Session(options=EngineOptions(workers=1), root=Path(folder))
        session.start()
        try:
            _measure(session, Path(folder))
        finally:
            session.close()


def _measure(session: Session, folder: Path) -> None:
    rng = np.random.default_rng(0)
    table = folder / "points.csv"
    names = ",".join(f"x{j}" for j in range(20))
    np.savetxt(table, rng.normal(size=(5000, 20)), delimiter=",", header=names, comments="")
    steps = (Step("near", "kernel/gaussian", ("data",), {"sigma": 1.0}),)
    session.project.load_recipe(Recipe(sources=(Source(open=str(table)),), steps=steps))
    session.run("data")
    session.wait(60)
    codes = rng.integers(0, 5, 5000)
    answers: list[Any] = []
    session.questions.step_previewed.connect(lambda _step, answer: answers.append(answer))
    engine_alone, whole, before = [], [], None
    for sigma in np.geomspace(0.5, 5.0, 21):
        began = time.perf_counter()
        session.questions.preview_step("near", {"sigma": float(sigma)})
        _wait_for(session, answers)
        engine_alone.append(1e3 * (time.perf_counter() - began))
        before = _draw(answers.pop(), codes, before)
        whole.append(1e3 * (time.perf_counter() - began))
    report("A preview of 500 items and its picture", whole[1:], "limit", LIMIT, "ms")
    report("  the engine's part", engine_alone[1:], "limit", LIMIT, "ms")

    began = time.perf_counter()
    seen = 0
    for move in range(MOVES - 1):
        session.questions.preview_step("near", {"sigma": 1.0 + move / MOVES})
        while time.perf_counter() < began + (move + 1) * INTERVAL:
            session.pump()
            time.sleep(0.001)
        seen += len(answers)
        answers.clear()
    last = time.perf_counter()
    session.questions.preview_step("near", {"sigma": 2.0})
    _wait_for(session, answers, 2.0)
    late = 1e3 * (time.perf_counter() - last)
    report(
        f"A slider of {MOVES} moves, {seen} of them seen; the last after",
        [late],
        "limit",
        LIMIT,
        "ms",
    )


def _wait_for(session: Session, answers: list[Any], sigma: float | None = None) -> None:
    until = time.perf_counter() + 20
    while time.perf_counter() < until:
        session.pump()
        if answers and (sigma is None or answers[-1].params["sigma"] == sigma):
            return
        time.sleep(0.0005)
    raise TimeoutError("There was no preview.")


def _draw(answer: StepPreview | str, codes: Any, before: Ints | None) -> Ints:
    """Work the picture out, items staying where they were, and return their order."""
    assert isinstance(answer, StepPreview), answer
    affinity = Affinity(values=answer.values)
    wish = MatrixRequest(affinity, "group", codes=codes, items=answer.items, before=before)
    return work_out(wish).order


if __name__ == "__main__":
    main()
