"""The findings: first in the report, in words, with what else is possible."""

import numpy as np

from coterie.core.model.dataset import Dataset
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.core.model.results import Clustering
from coterie.projects.report.blocks import Heading, Paragraph, TableBlock
from coterie.projects.report.contents import contents
from coterie.projects.report.findings import findings
from coterie.projects.report.snapshot import Snapshot, StepSnapshot


def _project(groups: Clustering | None, data: Dataset) -> Snapshot:
    recipe = Recipe(
        sources=(Source("data", "table.csv"),),
        steps=(Step("groups", "clusterer/kmeans", ("data",)),),
    )
    steps = {"data": StepSnapshot("table.csv", data), "groups": StepSnapshot("K-means", groups)}
    return Snapshot("Cars", recipe, steps)


def _cars() -> Dataset:
    weight = np.r_[np.arange(12.0), np.arange(100.0, 112.0)][:, None]
    return Dataset(title="cars", features=weight, columns=("weight",))


def test_the_findings_open_the_report_with_a_rule_for_each_group() -> None:
    groups = Clustering(labels=np.repeat([0, 1], 12), names=("light", ""))
    blocks = list(contents(_project(groups, _cars())))
    headings = [block.text for block in blocks if isinstance(block, Heading)]
    assert headings[:2] == ["Cars", "Findings"]
    table = next(block for block in blocks if isinstance(block, TableBlock))
    assert [row[:3] for row in table.rows] == [
        ("light", "12", "weight ≤ 55: 100% of the group, 100% pure"),
        ("group 2", "12", "weight > 55: 100% of the group, 100% pure"),
    ]


def test_the_verdict_and_the_alternatives_are_said() -> None:
    row = {"title": "Genie, 3 groups", "expected": 0.61, "answer": True, "chosen": False}
    details = {"sentence": "Probably 2 groups.", "candidates": [row]}
    groups = Clustering(labels=np.repeat([0, 1], 12), details=details)
    said = [b.text for b in findings(_project(groups, _cars())) if isinstance(b, Paragraph)]
    assert said == [
        "Probably 2 groups.",
        "Also possible: Genie, 3 groups (expected agreement 61%).",
    ]


def test_without_groups_there_are_no_findings() -> None:
    assert list(findings(_project(None, _cars()))) == []


def test_groups_of_items_without_columns_are_counted() -> None:
    groups = Clustering(labels=np.repeat([0, 1, -1], 8))
    blocks = list(findings(_project(groups, Dataset(title="x", texts=("a",) * 24, kind="texts"))))
    table = next(block for block in blocks if isinstance(block, TableBlock))
    assert table.rows == (("group 1", "8"), ("group 2", "8"))
    assert any("8 items in no group" in b.text for b in blocks if isinstance(b, Paragraph))
