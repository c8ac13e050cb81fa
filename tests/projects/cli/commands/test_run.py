"""`coterie run`: computing, reusing, changing, failing in part."""

import json
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from coterie.core.errors import ProjectFileError
from coterie.projects.store.hdf5.locking import ProjectLock

STEPS = ("data", "scaled", "near", "groups", "order", "picture", "agreement")


def content(path: Path) -> tuple[dict[str, str], dict[str, Any]]:
    """The keys by step, and every array in the file by its place."""
    arrays: dict[str, Any] = {}
    with h5py.File(path) as file:
        steps = json.loads(file["steps"][()])

        def note(name: str, item: Any) -> None:
            if isinstance(item, h5py.Dataset) and item.dtype.kind in "iuf":
                arrays[name] = item[()]

        file.visititems(note)
    return {name: step["key"] for name, step in steps.items()}, arrays


def lines(said: Any) -> dict[str, str]:
    """What was said of each step."""
    return {line.split()[0]: line for line in said.out.splitlines() if line[:1].strip()}


def test_the_project_is_written_beside_the_recipe_with_a_line_for_each_step(
    coterie: Any, recipe: Path
) -> None:
    said = coterie("run", recipe)
    assert said.code == 0
    assert said.err == ""
    assert set(STEPS) <= set(lines(said))
    assert "60 items × 2 columns, 2 known classes" in lines(said)["data"]
    assert "2 groups of" in lines(said)["groups"]
    assert "(7 computed)" in lines(said)["Wrote"]
    assert recipe.with_name("small.coterie.h5").exists()


def test_a_second_run_takes_everything_from_the_cache_with_the_same_keys_and_arrays(
    coterie: Any, recipe: Path, tmp_path: Path
) -> None:
    output = tmp_path / "out.coterie.h5"
    coterie("run", recipe, "-o", output)
    keys, arrays = content(output)
    said = coterie("run", recipe, "-o", output)
    assert said.code == 0
    for name in STEPS[1:]:
        assert "from cache" in lines(said)[name]
    assert "unchanged" in lines(said)["data"]
    assert "(7 from cache)" in lines(said)["Wrote"]
    again, same_arrays = content(output)
    assert again == keys
    assert set(same_arrays) == set(arrays)
    for name, array in arrays.items():
        np.testing.assert_array_equal(same_arrays[name], array)


def test_fresh_computes_again_and_comes_to_the_same(coterie: Any, recipe: Path) -> None:
    output = recipe.with_name("small.coterie.h5")
    coterie("run", recipe)
    keys, arrays = content(output)
    said = coterie("run", recipe, "--fresh")
    assert "(7 computed)" in said.out
    again, same_arrays = content(output)
    assert again == keys
    np.testing.assert_array_equal(
        same_arrays[f"results/{keys['groups']}/labels"], arrays[f"results/{keys['groups']}/labels"]
    )


def test_a_changed_parameter_computes_only_what_depends_on_it(coterie: Any, recipe: Path) -> None:
    coterie("run", recipe)
    said = coterie("run", recipe, "--set", "groups.k=1", "--set", "groups.rest=none")
    assert said.code == 0
    assert "from cache" in lines(said)["near"]
    assert "from cache" in lines(said)["picture"]
    assert "1 group of" in lines(said)["groups"]
    assert "from cache" not in lines(said)["agreement"]


def test_a_changed_file_is_noticed(coterie: Any, tmp_path: Path) -> None:
    (tmp_path / "points.csv").write_text("a,b\n1,2\n3,4\n5,7\n", encoding="utf-8")
    (tmp_path / "r.toml").write_text(
        '[data]\nopen = "points.csv"\n'
        '[[step]]\nname = "scaled"\nuse = "transform/minmax"\nof = "data"\n',
        encoding="utf-8",
    )
    assert coterie("run", "r.toml").code == 0
    assert "from cache" in lines(coterie("run", "r.toml"))["scaled"]
    (tmp_path / "points.csv").write_text("a,b\n1,2\n3,4\n5,7\n6,9\n", encoding="utf-8")
    said = coterie("run", "r.toml")
    assert "4 items" in lines(said)["data"]
    assert "4 items" in lines(said)["scaled"]


def test_a_file_outside_the_projects_folder_is_read_again(coterie: Any, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "elsewhere" / "points.csv").write_text("a,b\n1,2\n3,4\n", encoding="utf-8")
    (tmp_path / "r.toml").write_text('[data]\nopen = "elsewhere/points.csv"\n', encoding="utf-8")
    for _ in range(2):
        assert coterie("run", "r.toml", "-o", "out/p.coterie.h5").code == 0


def test_a_sample_stands_for_its_recipe(coterie: Any, tmp_path: Path) -> None:
    said = coterie("run", "rings", "--set", "data.n=300")
    assert said.code == 0
    assert "300 items" in lines(said)["data"]
    assert (tmp_path / "rings.coterie.h5").exists()


def test_another_file_may_take_the_place_of_the_data(coterie: Any, recipe: Path) -> None:
    Path("mine.csv").write_text("a,b\n1,2\n3,4\n5,5\n8,9\n", encoding="utf-8")
    recipe.write_text(recipe.read_text().replace("params = { n = 60 }\n", ""), encoding="utf-8")
    said = coterie("run", recipe, "--set", "data.open=mine.csv")
    assert "4 items × 2 columns" in lines(said)["data"]
    assert said.complaint.startswith("Step 'agreement': ")  # no known classes to agree with


def test_a_failing_step_skips_its_dependents_only_and_the_rest_is_written(
    coterie: Any, recipe: Path
) -> None:
    said = coterie("run", recipe, "--set", "near.sigma=-1")
    assert said.code == 1
    assert said.complaint.startswith("Step 'near': Parameter 'sigma' of kernel/gaussian")
    assert "skipped: needs 'near'" in lines(said)["groups"]
    assert "60 items" in lines(said)["picture"]
    keys, _ = content(recipe.with_name("small.coterie.h5"))
    assert set(keys) == {"data", "scaled", "picture"}


def test_each_failure_has_its_line(coterie: Any, recipe: Path) -> None:
    said = coterie("run", recipe, "--set", "near.width=1", "--set", "picture.dimensions=no")
    assert said.code == 1
    assert [line.split("'")[1] for line in said.err.splitlines()] == ["near", "picture"]


def test_a_trace_is_printed_when_asked_for(
    recipe: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from coterie.projects.cli.main import main

    monkeypatch.setenv("COTERIE_TRACE", "1")
    assert main(["run", str(recipe), "--engine", "inprocess", "--set", "near.sigma=-1"]) == 1
    assert "Traceback" in capsys.readouterr().err


def test_nothing_is_written_when_nothing_could_be_computed(coterie: Any, tmp_path: Path) -> None:
    (tmp_path / "r.toml").write_text('[data]\nopen = "missing.csv"\n', encoding="utf-8")
    said = coterie("run", "r.toml")
    assert said.code == 1
    assert "There is no file" in said.err.splitlines()[0]
    assert "no project was written" in said.err.splitlines()[1]
    assert not (tmp_path / "r.coterie.h5").exists()


def test_a_project_open_elsewhere_is_found_before_the_work(coterie: Any, recipe: Path) -> None:
    with ProjectLock.acquire(recipe.with_name("small.coterie.h5")):
        said = coterie("run", recipe)
    assert said.code == 1
    assert "is open in another window" in said.complaint
    assert said.out == ""


def test_a_file_that_is_no_project_is_never_written_over(coterie: Any, recipe: Path) -> None:
    for extra in ((), ("--fresh",)):
        said = coterie("run", recipe, "-o", recipe, *extra)
        assert said.code == 1
        assert "is not a Coterie project; it was not changed" in said.complaint
        assert recipe.read_text().startswith("title")


def test_a_damaged_project_is_written_over_only_when_asked(
    coterie: Any, recipe: Path, project: Path
) -> None:
    project.write_bytes(project.read_bytes()[:5000])
    said = coterie("run", recipe)
    assert said.code == 1
    assert "small.coterie.h5" in said.complaint
    assert "--fresh" in said.complaint
    assert coterie("run", recipe, "--fresh").code == 0


def test_results_are_kept_for_recovery_when_the_project_cannot_be_written(
    coterie: Any, recipe: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from coterie.projects.store.recovery import discard, orphans

    def refuse(*_: object, **__: object) -> None:
        raise ProjectFileError("The disk is full.")

    monkeypatch.setattr("coterie.projects.store.hdf5.saving.save_project", refuse)
    said = coterie("run", recipe)
    assert said.code == 1
    assert said.complaint.startswith("The disk is full. The results are kept")
    (orphan,) = orphans()
    assert orphan.title == "Small arcs"
    discard(orphan.folder)


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["nowhere.toml"], 1, "'nowhere.toml' does not exist"),
        (["small.toml", "--engine", "tcp://host"], 2, "has the form tcp://HOST:PORT"),
        (["small.toml", "--engine", "magic"], 2, "must be process, inprocess or"),
        (["small.toml", "--set", "groups"], 2, "Write changes as step.parameter=value"),
        (["small.toml", "--set", "nobody.k=3"], 1, "The recipe has no step 'nobody'"),
        (["small.toml", "-o", "no/where.coterie.h5"], 1, "The folder"),
        (["small.toml", "-o", "."], 1, "is a folder"),
        (["small.toml", "--nonsense"], 2, "No such option"),
        ([], 2, "Missing argument"),
    ],
)
def test_wrong_calls_are_answered_in_one_line(
    coterie: Any, recipe: Path, arguments: list[str], code: int, words: str
) -> None:
    said = coterie("run", *arguments)
    assert said.code == code
    assert words in said.complaint


def test_a_table_is_run_with_the_default_recipe(coterie: Any, tmp_path: Path) -> None:
    rows = [f"{i % 7},{i * 3 % 11}" for i in range(40)]
    (tmp_path / "table.csv").write_text("\n".join(["a,b", *rows]), encoding="utf-8")
    said = coterie("run", "table.csv")
    assert said.code == 0, said.err
    assert (tmp_path / "table.coterie.h5").exists()


def test_a_table_of_texts_is_run_and_described_as_texts(coterie: Any, tmp_path: Path) -> None:
    words = ("river lake water fish boat swim wave shore tide port", "law right court judge vote")
    lines = [f"{i},{' '.join(words[i % 2].split() * 2)} number {i}" for i in range(24)]
    (tmp_path / "texts.csv").write_text("\n".join(["no,text", *lines]), encoding="utf-8")
    said = coterie("info", "texts.csv")
    assert said.code == 0, said.err
    assert "Read as texts" in said.out
    said = coterie("run", "texts.csv")
    assert said.code == 0, said.err
    assert "Read as texts" in said.out
    assert "24 texts" in said.out
    assert (tmp_path / "texts.coterie.h5").exists()
