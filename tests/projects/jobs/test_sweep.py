"""Sweeps: plans, scores, and that nothing but scores is kept."""

import csv
import math
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from coterie.core.errors import RecipeError
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.projects.jobs.sweep import Sweep
from coterie.projects.jobs.sweep_plan import SweepAxis, SweepPlan, SweepTable, parse_axis, spread
from coterie.projects.session import Session
from tests.refusals import refuses

RECIPE = Recipe(
    sources=(Source("data", "iris"),),
    steps=(
        Step("scaled", "transform/minmax", ("data",)),
        Step("near", "kernel/gaussian", ("scaled",), {"sigma": 0.3}),
        Step("groups", "clusterer/njw", ("near",), {"k": 3}),
        Step("score", "metric/nmi", ("groups",)),
    ),
)
K = SweepAxis("k", (2, 3, 4))
NewSession = Callable[..., Session]


@pytest.fixture
def ready(session: Session) -> Session:
    session.project.load_recipe(RECIPE)
    session.run()
    session.wait(60)
    return session


def swept(session: Session, plan: SweepPlan) -> list[SweepTable]:
    tables: list[SweepTable] = []
    session.sweeps.changed.connect(tables.append)
    session.sweeps.start(plan)
    session.wait(60)
    return tables


def test_every_combination_is_scored_as_a_run_of_its_own_would_be(ready: Session) -> None:
    before = set(ready._storage.workspace.keys())
    tables = swept(ready, SweepPlan("groups", (K,), "metric/nmi", "groups"))
    table = tables[-1]
    assert table.state == "finished"
    assert [t.done for t in tables] == [0, 1, 2, 3]
    assert table.scores[1] == pytest.approx(ready.results.artefact("score").value)
    for at, k in enumerate(K.values):
        ready.edits.replace(ready.recipe.changed("groups", params={"k": k}), "change k")
        ready.run()
        ready.wait(60)
        assert table.scores[at] == pytest.approx(ready.results.artefact("score").value)
    assert before <= set(ready._storage.workspace.keys())


def test_a_score_that_leaves_items_out_says_so(session: Session, tmp_path: Path) -> None:
    groups = Step("groups", "clusterer/dominant-sets", ("near",), {"k": 2})
    session.project.load_recipe(Recipe("", RECIPE.sources, (*RECIPE.steps[:2], groups)))
    plan = SweepPlan("groups", (SweepAxis("rest", ("none", "nearest")),), "metric/nmi", "groups")
    table = swept(session, plan)[-1]
    session.run()
    session.wait(60)
    loose = int((session.results.artefact("groups").labels < 0).sum())
    assert loose > 0
    assert table.loose == {(0,): loose}  # by default the rest is in no group
    assert table.remark((0,)) == f"{loose} items in no group"
    assert table.remark((1,)) == ""
    table.write_csv(tmp_path / "table.csv")
    assert f"{loose} items in no group" in (tmp_path / "table.csv").read_text()


def test_only_scores_are_kept_and_the_project_stays_as_it_was(ready: Session) -> None:
    before, recipe = set(ready._storage.workspace.keys()), ready.recipe
    ready.project.modified = False
    swept(ready, SweepPlan("near", (SweepAxis("sigma", (0.1, 0.2)),), "groups", "groups"))
    ready._background.do("wait", lambda: None, lambda _: None)
    ready.wait(10)
    assert set(ready._storage.workspace.keys()) == before
    assert ready.recipe is recipe
    assert not ready.project.modified
    assert all(ready.status(name) == "fresh" for name in recipe.names)


def test_two_parameters_fill_a_table_and_a_wrong_setting_costs_one_cell(ready: Session) -> None:
    axes = (SweepAxis("sigma", (0.2, -1.0)), SweepAxis("auto_fraction", (1.0, 2.0)))
    table = swept(ready, SweepPlan("near", axes, "metric/error", "groups"))[-1]
    assert table.scores.shape == (2, 2)
    assert all(math.isfinite(score) for score in table.scores[0])
    assert all(math.isnan(score) for score in table.scores[1])
    assert "sigma" in table.problems[1, 0]
    best = table.best
    assert best is not None
    assert table.scores[best] == table.scores[0].min()


def test_what_the_step_works_on_is_computed_first(session: Session) -> None:
    session.project.load_recipe(RECIPE)
    table = swept(session, SweepPlan("groups", (K,), "metric/silhouette", "groups"))[-1]
    assert table.done == 3
    assert session.status("near") == "fresh"
    assert session.status("groups") == "missing"


def test_a_sweep_goes_on_when_only_news_wake_the_session(new_session: NewSession) -> None:
    session = new_session("process")
    news = threading.Event()
    session._background.notify = news.set
    session.project.load_recipe(RECIPE)
    session.run("data")
    session.sweeps.start(SweepPlan("groups", (K,), "groups", "groups"))
    while session.busy:
        assert news.wait(60), "the session sleeps though there is work"
        news.clear()
        session.pump()
    assert session.sweeps.table is not None
    assert session.sweeps.table.state == "finished"


def test_what_the_sweep_needs_and_fails_ends_it(session: Session, tmp_path: Path) -> None:
    source = Source("data", str(tmp_path / "gone.csv"))
    session.project.load_recipe(Recipe("", (source,), RECIPE.steps))
    table = swept(session, SweepPlan("groups", (K,), "groups", "groups"))[-1]
    assert table.state == "failed"
    assert "gone.csv" in table.message


def test_a_cancelled_sweep_keeps_what_it_has(ready: Session) -> None:
    tables: list[SweepTable] = []

    def on_table(table: SweepTable) -> None:
        tables.append(table)
        if table.done == 1 and table.state == "running":
            ready.cancel()

    ready.sweeps.changed.connect(on_table)
    ready.sweeps.start(SweepPlan("groups", (K,), "metric/nmi", "groups"))
    ready.wait(60)
    assert tables[-1].state == "cancelled"
    assert tables[-1].done == 1
    assert math.isfinite(tables[-1].scores[0])
    assert not ready.busy


def test_a_score_that_cannot_be_had_ends_the_sweep(session: Session, tmp_path: Path) -> None:
    table = tmp_path / "plain.csv"
    table.write_text("a,b\n" + "\n".join(f"{i},{i % 3}" for i in range(12)))
    session.project.load_recipe(
        Recipe(
            sources=(Source("data", str(table)),),
            steps=(Step("groups", "clusterer/kmeans", ("data",)),),
        )
    )
    result = swept(session, SweepPlan("groups", (SweepAxis("k", (2, 3)),), "metric/nmi", "groups"))[
        -1
    ]
    assert result.state == "failed"
    assert "class" in result.message


def test_groups_that_are_gone_when_they_are_scored_cost_one_cell(
    ready: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace, score = ready._storage.workspace, Sweep._score

    def score_too_late(task: Any, key: str, results: Any) -> None:
        if not task.table.done:
            workspace.discard(task._keys["groups"])
        score(task, key, results)

    monkeypatch.setattr(Sweep, "_score", score_too_late)
    table = swept(ready, SweepPlan("groups", (K,), "metric/nmi", "groups"))[-1]
    assert table.state == "finished"
    assert [math.isfinite(value) for value in table.scores] == [False, True, True]
    assert list(table.problems) == [(0,)]


@pytest.mark.parametrize(
    ("plan", "code"),
    [
        (SweepPlan("groups", (SweepAxis("z", (1,)),), "metric/nmi", "groups"), "invalid-sweep"),
        (SweepPlan("groups", (K, K), "metric/nmi", "groups"), "invalid-sweep"),
        (SweepPlan("groups", (), "metric/nmi", "groups"), "invalid-sweep"),
        (SweepPlan("groups", (SweepAxis("k", ()),), "metric/nmi", "groups"), "invalid-sweep"),
        (SweepPlan("groups", (K,), "metric/none", "groups"), "unknown-score"),
        (
            SweepPlan("score", (SweepAxis("average", ("min",)),), "groups", "groups"),
            "groups-needed",
        ),
        (SweepPlan("data", (K,), "groups", "groups"), "invalid-recipe"),
    ],
)
def test_a_plan_that_does_not_fit_is_refused(ready: Session, plan: SweepPlan, code: str) -> None:
    with refuses(code, RecipeError):
        ready.sweeps.start(plan)
    assert not ready.busy


def test_axes_are_written_as_ranges_or_lists(ready: Session) -> None:
    def values(text: str, step: str = "near") -> tuple[object, ...]:
        return parse_axis(text, ready.recipe, ready.catalogue, step).values

    assert values("sigma=0.1:0.3:3") == (0.1, 0.2, 0.3)
    assert values("sigma=0.01:1:3:log") == (0.01, 0.1, 1.0)
    assert values("k=2:4:3", "groups") == (2, 3, 4)
    assert values("k=2,5", "groups") == (2, 5)
    assert values("sigma=1,2") == (1.0, 2.0)
    for wrong in ("sigma", "sigma=", "sigma=a:b:c", "sigma=0:1:3:log", "sigma=1:2:0", "sigma=nan"):
        with pytest.raises(RecipeError):
            values(wrong)


def test_whole_numbers_are_tried_once_each() -> None:
    assert spread(2, 3, 10, whole=True) == (2, 3)
    assert spread(1, 1, 1) == (1.0,)


def test_the_table_is_written_with_notes(ready: Session, tmp_path: Path) -> None:
    axes = (SweepAxis("sigma", (0.2, -1.0)),)
    table = swept(ready, SweepPlan("near", axes, "groups", "groups"))[-1]
    assert table.best is None
    path = tmp_path / "table.csv"
    table.write_csv(path)
    rows = list(csv.reader(path.read_text().splitlines()))
    assert rows[0] == ["sigma", "groups", "note"]
    assert rows[1][:2] == ["0.2", "3.0"]
    assert rows[2][1] == ""
    assert "sigma" in rows[2][2]


def test_parameters_of_two_steps_are_varied_together(ready: Session, tmp_path: Path) -> None:
    """As sigma of the similarities and of the transduction in the source's figures."""
    before = set(ready._storage.workspace.keys())
    axes = (SweepAxis("sigma", (0.1, 0.4), "near"), SweepAxis("k", (2, 3), "groups"))
    more = ("metric/error", "groups")
    table = swept(ready, SweepPlan("near", axes, "metric/nmi", "groups", more))[-1]
    assert table.state == "finished"
    assert table.plan.names == ("near.sigma", "groups.k")
    ready._background.do("wait", lambda: None, lambda _: None)
    ready.wait(10)
    assert set(ready._storage.workspace.keys()) == before
    for place in table.plan.places():
        recipe = ready.recipe
        for step in ("near", "groups"):
            recipe = recipe.changed(step, params=table.plan.params_of(step, place))
        ready.edits.replace(recipe, "as in the sweep")
        ready.run()
        ready.wait(60)
        assert table.scores[place] == pytest.approx(ready.results.artefact("score").value)
        assert table.more["groups"][place] == ready.results.artefact("groups").k
    table.write_csv(tmp_path / "table.csv")
    with (tmp_path / "table.csv").open() as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["near.sigma", "groups.k", "metric/nmi", "metric/error", "groups", "note"]
    assert [row[:2] for row in rows[1:]] == [["0.1", "2"], ["0.1", "3"], ["0.4", "2"], ["0.4", "3"]]


def test_what_both_combinations_share_is_computed_once(ready: Session) -> None:
    jobs: dict[int, str] = {}
    ready.job_changed.connect(lambda job: jobs.update({job.number: job.component}))
    axes = (SweepAxis("sigma", (0.1, 0.4), "near"), SweepAxis("k", (2, 3, 4), "groups"))
    swept(ready, SweepPlan("near", axes, "groups", "groups"))
    assert list(jobs.values()).count("kernel/gaussian") == 2


def test_steps_of_two_chains_are_refused(ready: Session) -> None:
    axes = (SweepAxis("low", (0.0,), "scaled"), SweepAxis("k", (2,), "groups"))
    with refuses("invalid-sweep", RecipeError):
        SweepPlan("groups", (K, axes[0]), "metric/nmi", "groups").check(
            ready.recipe, ready.catalogue
        )
    axis = parse_axis("near.sigma=0.1:1:2", ready.recipe, ready.catalogue, "groups")
    assert (axis.step, axis.parameter, axis.values) == ("near", "sigma", (0.1, 1.0))
