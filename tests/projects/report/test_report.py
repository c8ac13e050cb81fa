"""A project as one page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from coterie.core import Clustering, Dataset, Embedding, Ranking, Score, Trace
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.core.numerics.drawing.page import as_svg
from coterie.core.numerics.drawing.plots import MOST_POINTS
from coterie.projects.report.blocks import Block, FigureBlock, Paragraph, TableBlock
from coterie.projects.report.contents import contents
from coterie.projects.report.html import page
from coterie.projects.report.snapshot import Snapshot, StepSnapshot

EVIL = '<script>alert("x")</script>'


def project(n: int = 30, name: str = "iris") -> Snapshot:
    rng = np.random.default_rng(0)
    data = Dataset(
        title=name,
        features=rng.random((n, 2)),
        columns=(name, "y"),
        items=tuple(f"{name} {i}" for i in range(n)),
    )
    labels = (np.arange(n) % 3).astype(np.int64)
    recipe = Recipe(
        title=name,
        sources=(Source("data", name),),
        steps=(
            Step("groups", "clusterer/kmeans", ("data",), {"k": 3}),
            Step("plane", "embedder/pca", ("data",)),
            Step("order", "ranker/distance", ("data",)),
            Step("nmi", "metric/nmi", ("groups",)),
            Step("late", "metric/error", ("groups",)),
        ),
    )
    trace = Trace(iterations=np.arange(4), values={"objective": np.arange(4.0)})
    provenance = {"component": "clusterer/kmeans", "params": {"k": 3}, "seconds": 0.25,
                  "libraries": {"numpy": "2.0"}}  # fmt: skip
    return Snapshot(
        name,
        recipe,
        {
            "data": StepSnapshot(name, data),
            "groups": StepSnapshot(
                "k-means", Clustering(labels=labels, dataset=data, notes=(name,)), trace,
                stale=True, provenance=provenance,
            ),
            "plane": StepSnapshot("PCA", Embedding(coordinates=rng.random((n, 2)), dataset=data)),
            "order": StepSnapshot("Distance", Ranking(scores=rng.random(n), dataset=data)),
            "nmi": StepSnapshot(
                "NMI",
                Score(
                    value=0.5, title="NMI", table=np.eye(3), rows=(name,) * 3, columns=tuple("abc")
                ),
            ),
            "late": StepSnapshot("Error", failure="It did not work. Try another."),
        },
    )  # fmt: skip


class Reader(HTMLParser):
    """Collects the elements of a page, and complains when they do not nest."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        for name, value in attrs:
            assert not name.startswith("on"), (name, value)
        if tag not in ("meta", "rect", "circle", "path", "line", "polyline", "image", "use"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open:
            assert self.open.pop() == tag


def drawn_in(blocks: Iterable[Block]) -> str:
    return "".join(as_svg(block.drawing) for block in blocks if isinstance(block, FigureBlock))


def test_every_step_has_its_place_with_settings_notes_and_figures() -> None:
    blocks = list(contents(project()))
    text = "\n".join(b.text for b in blocks if isinstance(b, Paragraph))
    assert "clusterer/kmeans; k = 3; of data; seed 0; 0.25 s." in text
    assert "Out of date" in text
    assert "It did not work. Try another." in text
    drawn = drawn_in(blocks)
    for title in ("data", "groups", "groups, how it converged", "plane", "order"):
        assert f">{title}</text>" in drawn
    tables = [b.titles for b in blocks if isinstance(b, TableBlock)]
    assert ("rank", "all in scope", "group 1", "group 2", "group 3") in tables
    assert ("software", "version") in tables


def test_an_objective_that_never_moves_or_is_not_known_is_not_drawn() -> None:
    found = project()
    groups = found.steps["groups"]
    for objective in (np.full(4, np.nan), np.ones(4)):
        still = replace(groups, trace=replace(groups.trace, objective=objective))
        blocks = contents(replace(found, steps={**found.steps, "groups": still}))
        assert "how it converged" not in drawn_in(blocks)


def test_data_that_were_only_scaled_are_not_drawn_again_nor_remarked_on_twice() -> None:
    found = project()
    read = replace(found.steps["data"].noun, notes=("A column was left out.",))
    recipe = replace(
        found.recipe, steps=(Step("scaled", "transform/minmax", ("data",)), *found.recipe.steps)
    )
    steps = {**found.steps, "data": StepSnapshot("t", read), "scaled": StepSnapshot("Range", read)}
    blocks = list(contents(replace(found, recipe=recipe, steps=steps)))
    assert sum(b == Paragraph("A column was left out.") for b in blocks) == 1
    assert sum(isinstance(b, FigureBlock) for b in blocks) == 5


def test_data_with_missing_values_are_drawn_as_they_were_filled_in() -> None:
    found = project()
    whole = found.steps["data"].noun
    gaps = whole.features.copy()
    gaps[0, 0] = np.nan
    steps = {**found.steps, "data": StepSnapshot("t", replace(whole, features=gaps))}
    assert _excuses(contents(replace(found, steps=steps)))  # nothing filled them in
    steps["full"] = StepSnapshot("Fill in", whole)
    recipe = replace(
        found.recipe, steps=(Step("full", "transform/impute", ("data",)), *found.recipe.steps)
    )
    blocks = list(contents(replace(found, recipe=recipe, steps=steps)))
    assert not _excuses(blocks)
    assert sum(isinstance(b, FigureBlock) for b in blocks) == 5


def _excuses(blocks: Iterable[Block]) -> list[Block]:
    return [b for b in blocks if isinstance(b, Paragraph) and "missing or infinite" in b.text]


def test_the_features_that_tell_groups_apart_come_first_with_their_means() -> None:
    found = project()
    labels = found.steps["groups"].noun.labels
    features = np.column_stack([np.random.default_rng(1).random(30), labels * 2.0 + 1])
    features[4, 0] = np.nan
    read = replace(found.steps["data"].noun, features=features)
    steps = {**found.steps, "data": StepSnapshot("t", read)}
    tables = [b for b in contents(replace(found, steps=steps)) if isinstance(b, TableBlock)]
    means = next(b for b in tables if b.titles[0] == "feature")
    assert means.titles == ("feature", "group 1", "group 2", "group 3", "telling")
    assert means.rows[0] == ("y", "1", "3", "5", "100%")
    others = features[labels == 1, 0]
    assert means.rows[1][2] == f"{np.nanmean(others):.4g}"


def test_groups_are_counted_in_one_way_on_the_whole_page() -> None:
    found = project()
    counts = Score(value=0.5, table=np.eye(3), rows=("group 0", "group 1", "group 2"))
    steps = {**found.steps, "nmi": StepSnapshot("NMI", counts)}
    text = page(contents(replace(found, steps=steps)), "t")
    assert "group 0" not in text
    assert text.count("group 3") >= 4  # sizes, the legends of two figures, first items, counts


def test_groups_with_names_have_them_in_every_table() -> None:
    found = project()
    groups = found.steps["groups"].noun
    assert isinstance(groups, Clustering)
    named = replace(groups, names=("low", "middle", "high"))
    steps = {**found.steps, "groups": StepSnapshot("k-means", named)}
    tables = [b for b in contents(replace(found, steps=steps)) if isinstance(b, TableBlock)]
    assert ("rank", "all in scope", "low", "middle", "high") in [b.titles for b in tables]


def test_names_cannot_become_markup() -> None:
    text = page(contents(project(name=EVIL)), EVIL)
    assert "<script" not in text
    reader = Reader()
    reader.feed(text)
    assert "script" not in reader.seen
    assert reader.seen.count("svg") == 5


def test_the_page_needs_nothing_beside_it() -> None:
    text = page(contents(project()), "x")
    for outside in ("http://", "https://", "src=", "@import", "url("):
        assert outside not in text.replace("http://www.w3.org/", "").replace("url(#", "")


def test_a_page_with_very_many_points_stays_small() -> None:
    assert len(page(contents(project(n=MOST_POINTS + 1)), "many")) < 2_000_000


def test_an_empty_project_has_a_page_too() -> None:
    text = page(contents(Snapshot("nothing", Recipe(), {})), "nothing")
    assert "nothing" in text


@pytest.mark.parametrize("ending", ["html", "htm"])
def test_the_command_writes_the_page(ending: str, tmp_path: Path) -> None:
    from coterie.projects.cli.application import carry_out

    recipe = tmp_path / "r.toml"
    recipe.write_text(
        'title = "R"\n[data]\nopen = "iris"\n[[step]]\nname = "plane"\nuse = "embedder/pca"\n'
        'of = "data"\n',
        encoding="utf-8",
    )
    assert carry_out(["run", str(recipe), "--engine", "inprocess"]) == 0
    done = tmp_path / "r.coterie.h5"
    target = tmp_path / f"page.{ending}"
    assert carry_out(["report", str(done), "-o", str(target)]) == 0
    assert "<svg" in target.read_text(encoding="utf-8")


def test_another_ending_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from coterie.projects.cli.application import carry_out

    assert carry_out(["report", str(tmp_path / "x.coterie.h5"), "-o", "page.docx"]) == 1
    assert "ending in .html" in capsys.readouterr().err
