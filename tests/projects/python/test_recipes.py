"""Recipes in Python run as they do in the window, and projects come back."""

import shutil
import sys
import threading
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

import coterie
from coterie.core.errors import CoterieError


@pytest.fixture(scope="module")
def recipe() -> Any:
    made = coterie.Recipe("Three groups in iris")
    made.data("iris")
    made.add("scaled", "transform/minmax")
    made.add("groups", "clusterer/kmeans", "scaled", k=3, seed=4)
    made.add("score", "metric/nmi", "groups")
    made.add("plane", "transform/pca", "scaled", components=2)
    made.add("classes", "classifier/nearest", ("plane", "groups"))
    return made


@pytest.fixture(scope="module")
def saved(recipe: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("projects") / "iris.coterie.h5"
    told: list[float] = []
    project = recipe.run(place, progress=lambda done, _: told.append(done))
    assert told[-1] == 1
    assert told == sorted(told)
    assert project.path == place
    return place


def test_a_project_gives_results_by_name(saved: Path) -> None:
    project = coterie.open(saved)
    assert list(project) == ["data", "scaled", "groups", "score", "plane", "classes"]
    groups = project["groups"]
    assert groups.use == "clusterer/kmeans"
    assert groups.seed == 4
    assert len(groups.to_pandas()) == 150
    assert 0 < project["score"].value <= 1
    assert project["scaled"].transform(project["data"]) == pytest.approx(
        project["scaled"].to_numpy()
    )
    direct = coterie.run("clusterer/kmeans", project["scaled"], k=3, seed=4)
    assert np.array_equal(direct.labels, groups.labels)
    assert "Three groups" in project._repr_html_()


def test_a_stored_result_does_to_raw_rows_what_was_done_to_its_data(saved: Path) -> None:
    project = coterie.open(saved)
    raw, groups = project["data"].to_numpy(), project["groups"].labels
    learnt = project["classes"]
    assert np.array_equal(learnt.predict(raw), groups)
    assert project["plane"].transform(raw) == pytest.approx(project["plane"].to_numpy())
    # By the names of columns, and from any result on the way, of this object or another.
    shuffled = coterie.read("iris").to_pandas().iloc[:, ::-1]
    again = coterie.open(saved)
    for rows in (shuffled, project["scaled"], again["scaled"], again["plane"], again["data"]):
        assert np.array_equal(learnt.predict(rows), groups)
    with pytest.raises(CoterieError) as caught:
        learnt.predict(raw[:, :3])
    assert caught.value.code == "columns-mismatch"


def test_new_rows_cannot_pass_a_step_without_a_model(tmp_path: Path) -> None:
    texts = tmp_path / "words.txt"
    texts.write_text("\n".join(["aab", "aabb", "ab", "xyz", "xyyz", "xz"] * 2))
    made = coterie.Recipe().data(texts, reader="reader/texts").add("similarity", "kernel/spectrum")
    # The similarities are all that is known of texts, so their picture has no place for others.
    made.add("picture", "embedder/kernel-pca", "similarity")
    made.add("groups", "clusterer/kmeans", "picture", k=2)
    project = made.add("classes", "classifier/nearest", ("picture", "groups")).run()
    with pytest.raises(CoterieError) as caught:
        project["classes"].predict(project["data"])
    assert caught.value.code == "no-model"
    assert len(project["classes"].predict(project["picture"])) == 12


def test_a_stored_recipe_is_the_one_that_ran(saved: Path, recipe: Any) -> None:
    project = coterie.open(saved)
    again = coterie.Recipe.of(project.recipe)
    assert again == recipe
    assert coterie.Recipe.parse(again.to_toml()) == recipe
    again.change("groups", k=2)
    assert again.plain.find("groups").params == {"k": 2}


def test_what_a_project_does_not_have_is_said(saved: Path) -> None:
    project = coterie.open(saved)
    with pytest.raises(KeyError) as caught:
        _ = project["grups"]
    assert isinstance(caught.value, CoterieError)
    assert caught.value.code == "unknown-result"
    assert project.get("grups") is None


def test_data_at_hand_stay_in_the_project(tmp_path: Path) -> None:
    points = np.random.default_rng(0).normal(size=(20, 2))
    project = coterie.Recipe("at hand").data(points).add("scaled", "transform/standardise").run()
    target = tmp_path / "kept.coterie.h5"
    project.save(target)
    again = coterie.open(target)
    assert again["data"].features == pytest.approx(points)
    assert "file" in again["data"].parts


def test_a_step_that_fails_is_raised_or_noted() -> None:
    made = coterie.Recipe().data("iris").add("groups", "clusterer/kmeans", k=1000)
    with pytest.raises(CoterieError) as caught:
        made.run()
    assert caught.value.code == "too-many-groups"
    project = made.run(strict=False)
    assert list(project.failures) == ["groups"]
    assert list(project) == ["data"]


def test_a_recipe_without_data_or_with_a_circle_is_refused() -> None:
    with pytest.raises(CoterieError) as caught:
        coterie.Recipe().run()
    assert caught.value.code == "empty-recipe"
    with pytest.raises(CoterieError) as caught:
        coterie.Recipe().data("iris").add("a", "transform/minmax", "a")
    assert caught.value.code == "invalid-recipe"


def test_a_run_can_be_cancelled(recipe: Any) -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(coterie.Cancelled):
        recipe.run(cancel=stop)


def test_a_file_that_is_not_a_project_or_newer_is_refused(saved: Path, tmp_path: Path) -> None:
    text = tmp_path / "text.coterie.h5"
    text.write_text("no")
    for path, code in ((text, "not-a-project"), (tmp_path / "gone", "file-not-found")):
        with pytest.raises(CoterieError) as caught:
            coterie.open(path)
        assert caught.value.code == code
    newer = tmp_path / "newer.coterie.h5"
    newer.write_bytes(saved.read_bytes())
    with h5py.File(newer, "r+", libver=("v108", "latest")) as file:
        file.attrs["schema"] = file.attrs["min_reader"] = 999
    with pytest.raises(CoterieError) as caught:
        coterie.open(newer)
    assert caught.value.code == "newer-version"


STAND_IN = """#!{python}
import sys
import coterie

if sys.argv[-1].endswith("broken.coterie.h5"):
    sys.exit("There is no screen.")
project = coterie.open(sys.argv[-1])
recipe = coterie.Recipe.of(project.recipe)
recipe.add("more", "clusterer/kmeans", "scaled", k=2).run(sys.argv[-1])
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows starts no scripts by their first line")
def test_what_the_window_saved_is_in_the_project_afterwards(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = tmp_path / "window"
    window.write_text(STAND_IN.format(python=sys.executable), encoding="utf-8")
    window.chmod(0o700)
    shutil.copy(saved, own := tmp_path / "own.coterie.h5")
    shutil.copy(saved, broken := tmp_path / "broken.coterie.h5")
    project, other = coterie.open(own), coterie.open(broken)
    assert "more" not in project
    monkeypatch.setattr(sys, "executable", str(window))
    project.show()
    assert project["more"].k == 2
    assert project.recipe.find("more").params == {"k": 2}
    with pytest.raises(CoterieError, match="There is no screen"):
        other.show()
