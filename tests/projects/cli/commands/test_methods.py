"""`coterie methods` and `coterie describe`: the catalogue for people and programs."""

import json
from pathlib import Path
from typing import Any

import pytest

FIELDS = {"kind", "id", "title", "summary", "version", "origin", "params", "needs", "gives"}
KERNEL = '''
from coterie.core import Field, Kernel, hookimpl

class Flat(Kernel):
    """All items are alike."""
    id, title = "flat", "Flat [bold]"

    class Params(Kernel.Params):
        level: float = Field(1.0, gt=0, description="How alike [0, 1].")

    def compute(self, data, *, params, context):
        import numpy as np
        return np.full((data.n, data.n), params.level)

@hookimpl
def coterie_kernels():
    return [Flat]
'''


def test_the_json_list_is_stable(coterie: Any) -> None:
    found = json.loads(coterie("methods", "--json").out)
    assert set(found) == {"methods", "broken", "recipes"}
    assert found["broken"] == []
    for method in found["methods"]:
        assert set(method) == FIELDS
        assert method["params"]["type"] == "object"
    names = {f"{method['kind']}/{method['id']}" for method in found["methods"]}
    assert {"kernel/gaussian", "clusterer/dominant-sets", "reader/csv"} <= names


def test_a_kind_can_be_chosen(coterie: Any) -> None:
    found = json.loads(coterie("methods", "--kind", "kernel", "--json").out)
    assert {method["kind"] for method in found["methods"]} == {"kernel"}
    said = coterie("methods", "--kind", "kernel")
    assert "kernel/gaussian" in said.out
    assert "clusterer" not in said.out


def test_an_unknown_kind_is_wrong_usage(coterie: Any) -> None:
    said = coterie("methods", "--kind", "colour")
    assert said.code == 2
    assert "Unknown kind 'colour'" in said.complaint


def test_plugins_are_listed_good_and_broken(coterie: Any, plugin_folder: Path) -> None:
    (plugin_folder / "flat.py").write_text(KERNEL, encoding="utf-8")
    (plugin_folder / "sick.py").write_text("raise RuntimeError('no\\nluck')", encoding="utf-8")
    said = coterie("methods")
    assert said.code == 0
    assert "kernel/local:flat" in said.out
    assert "Flat [bold]" in said.out
    assert [
        line for line in said.out.splitlines() if line.startswith("Broken: ") and "sick" in line
    ]
    found = json.loads(coterie("methods", "--json").out)
    (broken,) = found["broken"]
    assert set(broken) == {"name", "error"}
    assert "sick" in broken["name"]
    assert "no" in broken["error"]


def test_safe_mode_leaves_plugins_out_wherever_it_stands(coterie: Any, plugin_folder: Path) -> None:
    (plugin_folder / "flat.py").write_text(KERNEL, encoding="utf-8")
    for arguments in (["--safe-mode", "methods"], ["methods", "--safe-mode"]):
        assert "local:flat" not in coterie(*arguments).out
    assert "local:flat" in coterie("methods").out


def test_a_method_is_described_with_its_parameters(coterie: Any, plugin_folder: Path) -> None:
    (plugin_folder / "flat.py").write_text(KERNEL, encoding="utf-8")
    said = coterie("describe", "kernel/local:flat")
    assert said.code == 0
    for words in (
        "Flat [bold] (kernel/local:flat)",
        "All items are alike.",
        "How alike [0, 1].",
        "> 0",
    ):
        assert words in said.out


@pytest.mark.slow
def test_every_method_can_be_described(coterie: Any) -> None:
    for method in json.loads(coterie("methods", "--json").out)["methods"]:
        name = f"{method['kind']}/{method['id']}"
        found = json.loads(coterie("describe", name, "--json").out)
        assert {key: found[key] for key in FIELDS} == method


@pytest.mark.slow
def test_every_method_is_described_in_words(coterie: Any) -> None:
    for method in json.loads(coterie("methods", "--json").out)["methods"]:
        said = coterie("describe", f"{method['kind']}/{method['id']}")
        assert said.code == 0
        assert method["summary"] in said.out
        for parameter in method["params"].get("properties", {}):
            assert parameter in said.out


def test_an_id_alone_is_enough_when_it_is_the_only_one(coterie: Any) -> None:
    assert coterie("describe", "gaussian").out == coterie("describe", "kernel/gaussian").out


def test_an_unknown_method_is_answered_with_what_comes_close(coterie: Any) -> None:
    said = coterie("describe", "kernel/gausian")
    assert said.code == 1
    assert said.complaint == ("There is no method 'kernel/gausian'. Did you mean kernel/gaussian?")
