"""Projects without what is quickly computed again: the rule, saving, opening, computing it."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from coterie.core.engine.options import EngineOptions
from coterie.core.errors import CoterieError
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.projects.cli.info_json import project_contents
from coterie.projects.jobs.export import Export
from coterie.projects.jobs.job import Status
from coterie.projects.recipe.keys import Computed
from coterie.projects.session import Session
from coterie.projects.store.hdf5.validation import validate
from coterie.projects.store.held import Held
from coterie.projects.store.left_out import LEAST, PATIENCE, LeftOut, left_out_of
from coterie.projects.store.state import ProjectState

N = 600  # a dense matrix of as many items is 2.9 MB
RECIPE = Recipe(
    title="Many arcs",
    sources=(Source(open="arcs", params={"n": N}),),
    steps=(
        Step("near", "kernel/gaussian", ("data",), {"sigma": 0.3}),
        Step("groups", "clusterer/ncut", ("near",), {"k": 2}),
    ),
)

# The rule

KEYS = {
    name: f"{number:064x}" for number, name in enumerate(["data", "scaled", "near", "groups"], 1)
}
CHAIN = Recipe(
    sources=(Source("data", "blobs"),),
    steps=(
        Step("scaled", "transform/minmax", ("data",)),
        Step("near", "kernel/gaussian", ("scaled",)),
        Step("groups", "clusterer/ncut", ("near",)),
    ),
)
COMPUTED = {name: Computed(key) for name, key in KEYS.items()}


def chain(about: str = "data", near: float = 1.0, scaled: float = 1.0, size: int = 8) -> Any:
    """What is known of the results of CHAIN; the groups are about the data called `about`."""

    def one(kind: str, nbytes: int, seconds: float, dataset: str | None) -> Held:
        return Held(kind, nbytes, (9,), dataset, provenance={"seconds": seconds})

    return {
        KEYS["data"]: one("dataset", 4 * LEAST, 1.0, None),
        KEYS["scaled"]: one("dataset", 4 * LEAST, scaled, None),
        KEYS["near"]: one("affinity", size * LEAST, near, KEYS[about]),
        KEYS["groups"]: one("clustering", LEAST, 900.0, KEYS[about]),
    }


def left(held: Any, recipe: Recipe = CHAIN, fresh: Any = tuple(KEYS), **more: Any) -> set[str]:
    return set(left_out_of(recipe, COMPUTED, fresh, held, **more))


def test_what_is_quickly_computed_again_is_left_out_but_no_data_and_no_results() -> None:
    assert left(chain()) == {"scaled", "near"}
    assert left(chain(), keep="all") == set()
    assert left(chain(near=PATIENCE, size=3)) == {"scaled"}  # with what it is made of, too slow
    assert left(chain(near=PATIENCE, size=3), keep="none") == {"scaled", "near"}


def test_data_that_a_result_is_about_are_stored() -> None:
    assert left(chain(about="scaled")) == {"near"}


def test_small_outdated_and_foreign_results_are_stored() -> None:
    small = chain()
    small[KEYS["near"]] = replace(small[KEYS["near"]], nbytes=LEAST - 1)
    assert left(small) == {"scaled"}
    assert left(chain(), fresh=("data", "scaled", "groups")) == {"scaled"}
    other = CHAIN.changed("scaled", use="transform/mylab:minmax")
    assert left(chain(), other) == set()


def test_items_of_a_scene_are_stored_as_their_pixels_are_elsewhere() -> None:
    scene = chain()
    scene[KEYS["data"]] = replace(scene[KEYS["data"]], kind="raster")
    assert left(scene) == set()


def test_a_project_larger_than_three_times_its_data_leaves_out_slow_results_too() -> None:
    assert left(chain(near=10 * PATIENCE, size=3)) == {"scaled"}
    assert left(chain(near=10 * PATIENCE, size=30)) == {"scaled", "near"}
    nobody_knows = chain(near=float("inf"), size=30)
    assert left(nobody_knows) == {"scaled"}


def test_what_is_recorded_of_it_reads_back() -> None:
    one = left_out_of(CHAIN, COMPUTED, KEYS, chain())["near"]
    assert one.seconds == 2.0
    assert LeftOut.from_json(json.loads(json.dumps(one.as_json()))) == one


# Saving and opening


@pytest.fixture
def saved(new_session: Any, tmp_path: Path) -> tuple[Session, Path]:
    session = new_session()
    session.project.load_recipe(RECIPE)
    session.run()
    session.wait(60)
    path = tmp_path / "arcs.coterie.h5"
    save(session, path)
    return session, path


def save(session: Session, path: Path) -> None:
    saving = session.project.save(path)
    session.wait(60)
    saving.result()


def opened(new_session: Callable[[], Session], path: Path) -> Session:
    session = new_session()
    opening = session.project.open_file(path)
    session.wait(60)
    opening.result()
    return session


def states(session: Session) -> dict[str, Status]:
    return {name: session.status(name) for name in session.recipe.names}


FRESH, LEFT_OUT = Status.FRESH, Status.LEFT_OUT


def test_what_is_left_out_is_computed_again_when_it_is_asked_for(
    saved: tuple[Session, Path], new_session: Any
) -> None:
    first, path = saved
    assert set(states(first).values()) == {FRESH}  # it is still there, where it was computed
    near = np.array(first.results.artefact("near").values)
    assert path.stat().st_size < near.nbytes / 10
    assert validate(path) == []
    first.close()

    session = opened(new_session, path)
    assert states(session) == {"data": FRESH, "near": LEFT_OUT, "groups": FRESH}
    assert session.results.artefact("near") is None
    assert session.results.length_in_file("near") == N  # a step can be put after it
    assert session.results.shape_in_file("near") == f"{N} × {N}"
    assert session.fetch("groups").k == 2
    session.run()
    session.wait(60)
    assert not session.jobs  # nothing needs it
    assert np.array_equal(session.fetch("near").values, near)
    assert states(session)["near"] is FRESH
    assert not session.project.modified or session.results.key("near")


def test_any_hdf5_tool_sees_a_whole_project_and_how_the_rest_came_about(
    saved: tuple[Session, Path],
) -> None:
    saved[0].close()
    with h5py.File(saved[1]) as file:
        steps = json.loads(file["steps"][()])
        record = json.loads(file["left_out"][()])["near"]
        assert list(file["graphs"]) == []
        assert set(steps) == {"data", "groups"}  # who does not know of it sees a step not yet run
        assert file.attrs["min_reader"] == 1
        stored = {key for section in ("data", "results") for key in file[section]}
        assert {steps["groups"]["key"], *steps["groups"]["parts"].values()} <= stored
    assert record["type"] == "affinity"
    assert record["shape"] == [N, N]
    assert record["provenance"]["component"] == "kernel/gaussian"
    assert record["provenance"]["params"]["sigma"] == 0.3


def test_a_changed_step_computes_what_it_needs_and_undoing_leaves_it_out_again(
    saved: tuple[Session, Path], new_session: Any
) -> None:
    saved[0].close()
    session = opened(new_session, saved[1])
    session.edits.replace(session.recipe.changed("near", params={"sigma": 0.2}), "narrower")
    assert states(session)["near"] is Status.MISSING  # another result than the one left out
    session.edits.undo()
    assert states(session)["near"] is LEFT_OUT
    session.edits.replace(session.recipe.changed("groups", params={"k": 3}), "three")
    session.run()
    session.wait(60)
    assert states(session) == {"data": FRESH, "near": FRESH, "groups": FRESH}


def test_it_is_left_out_again_when_saved_elsewhere_and_stored_when_asked(
    saved: tuple[Session, Path], new_session: Any, tmp_path: Path
) -> None:
    saved[0].close()
    session = opened(new_session, saved[1])
    save(session, tmp_path / "other.coterie.h5")
    assert states(session)["near"] is LEFT_OUT
    session.fetch("near")
    session.project.keep = "all"
    save(session, tmp_path / "whole.coterie.h5")
    session.close()
    assert states(opened(new_session, tmp_path / "other.coterie.h5"))["near"] is LEFT_OUT
    whole = opened(new_session, tmp_path / "whole.coterie.h5")
    assert states(whole)["near"] is FRESH
    # Nobody looked at it: it is in the old file alone, and not in the new one.
    save(whole, tmp_path / "small.coterie.h5")
    assert states(whole)["near"] is LEFT_OUT
    assert not whole.project.modified
    assert whole.fetch("near").n == N


def test_an_outdated_result_is_stored_as_it_could_not_be_made_again(
    saved: tuple[Session, Path], new_session: Any, tmp_path: Path
) -> None:
    session, _ = saved
    session.edits.replace(session.recipe.changed("near", params={"sigma": 0.2}), "narrower")
    save(session, tmp_path / "stale.coterie.h5")
    session.close()
    again = opened(new_session, tmp_path / "stale.coterie.h5")
    assert states(again)["near"] is Status.STALE
    assert again.fetch("near").n == N


def test_work_that_is_restored_knows_what_is_left_out(
    saved: tuple[Session, Path], new_session: Any
) -> None:
    saved[0].close()
    session = opened(new_session, saved[1])
    state = session.project._state().for_state()
    assert set(ProjectState.from_state(json.loads(json.dumps(state))).left_out) == {"near"}


def test_data_on_the_way_are_left_out_but_not_the_models_fitted_to_them(
    new_session: Any, tmp_path: Path
) -> None:
    steps = (
        Step("whole", "transform/robust", ("data",)),
        Step("scaled", "transform/minmax", ("whole",)),
        Step("groups", "clusterer/kmeans", ("scaled",), {"k": 2, "restarts": 1}),
    )
    session = new_session()
    source = Source(open="arcs", params={"n": 50_000})
    session.project.load_recipe(Recipe("Scaled", (source,), steps))
    session.run()
    session.wait(60)
    for name in ("once", "again"):  # copied as it is stored the second time
        path = tmp_path / f"{name}.coterie.h5"
        save(session, path)
        assert validate(path) == []
        session.close()
        session = opened(new_session, path)
        assert states(session)["whole"] is LEFT_OUT
        assert states(session)["scaled"] is FRESH  # the groups are about these
        told = project_contents(path, EngineOptions(plugin_folders=()))
        parts = [*told["data"], *told["graphs"], *told["results"]]
        assert {one["name"]: one["stale"] for one in parts}["whole.model"] is False
    model = session.fetch("whole", "model")
    assert model.arrays
    assert states(session)["whole"] is LEFT_OUT  # that part of it is stored
    assert session.fetch("groups").dataset.n == 50_000


def test_a_result_that_is_left_out_is_computed_to_be_exported(
    saved: tuple[Session, Path], new_session: Any, tmp_path: Path
) -> None:
    saved[0].close()
    session = opened(new_session, saved[1])
    session.exports.add(Export("near", tmp_path / "near.csv"))
    session.wait(60)
    assert len((tmp_path / "near.csv").read_text().splitlines()) > N


def test_a_record_that_is_none_is_reported(saved: tuple[Session, Path]) -> None:
    saved[0].close()
    with h5py.File(saved[1], "r+", libver=("v108", "latest")) as file:
        text = file["left_out"][()]
        del file["left_out"]
        file["left_out"] = np.bytes_(text.replace(b'"key": "', b'"key": "x'))
    assert any("left_out" in str(problem) for problem in validate(saved[1]))


def test_a_result_that_came_while_the_project_was_saved_is_not_forgotten(
    saved: tuple[Session, Path],
) -> None:
    results = saved[0].results
    key = results.key("near")
    results.leave_out({"near": LeftOut("0" * 64)})  # what it was when the saving began
    assert results.key("near") == key


def test_damaged_similarities_do_not_stand_in_the_way_of_saving_for_good(
    saved: tuple[Session, Path], tmp_path: Path
) -> None:
    session, _ = saved
    key = session.results.key("near")
    folder = session._storage.folder / "artefacts" / str(key)
    (folder / "record.json").write_text("{")
    session.results.forget([str(key)])
    with pytest.raises(CoterieError, match="damaged"):
        save(session, tmp_path / "other.coterie.h5")
    session.run()
    session.wait(60)
    save(session, tmp_path / "other.coterie.h5")
    assert session.fetch("near").n == N
