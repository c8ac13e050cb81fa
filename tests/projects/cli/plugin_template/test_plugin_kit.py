"""A new plugin of any kind is complete: it loads, keeps every promise, and its own tests pass."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from coterie.core.api.kinds import KINDS
from coterie.core.catalogue.registry import Registry
from coterie.core.errors import ParameterError, WorkspaceError
from coterie.core.testing import cases
from coterie.core.testing.loading import find_sources, subjects_of
from coterie.projects.cli.plugin_template.names import is_taken, names_from
from coterie.projects.cli.plugin_template.writing import package_files, write_file, write_package
from tests.refusals import refuses


@pytest.mark.parametrize("kind", KINDS)
def test_a_single_file_of_each_kind_keeps_every_promise(kind: str, tmp_path: Path) -> None:
    file = write_file("my-first", kind, tmp_path)
    registry = Registry()
    [source] = find_sources(str(file))
    registry.add(source)
    assert registry.catalogue.broken == ()
    [subject] = subjects_of(registry)
    assert subject.name == f"{kind}/local:my-first"
    assert subject.component.Params.model_fields
    found = [case.check.find(subject) for case in cases([subject], timed=False)]
    assert [finding.line() for finding in found if finding.outcome == "failed"] == []
    assert sum(finding.outcome == "skipped" for finding in found) <= 1


def _run_tests(folders: list[Path]) -> str:
    """Run the packages' own tests, untouched, as their authors would."""
    sources = os.pathsep.join(str(folder / "src") for folder in folders)
    tests = [str(folder / "tests") for folder in folders]
    finished = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests],
        cwd=folders[0].parent,
        env=os.environ | {"PYTHONPATH": sources, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return finished.stdout


def test_the_tests_of_a_new_package_pass_untouched(tmp_path: Path) -> None:
    said = _run_tests([write_package("my-kernel", "kernel", tmp_path)])
    passed = re.search(r"\b(\d+) passed in", said)
    assert passed is not None
    assert int(passed[1]) > 20  # one for each promise that applies to a kernel


@pytest.mark.slow
def test_the_tests_of_packages_of_every_kind_pass_untouched(tmp_path: Path) -> None:
    _run_tests([write_package(f"my-{kind}", kind, tmp_path) for kind in KINDS])


@pytest.mark.parametrize("kind", KINDS)
def test_a_package_has_all_it_takes_to_publish_it(kind: str) -> None:
    files = package_files("Lab.Methods", kind)
    assert {"pyproject.toml", "README.md", "LICENSE", ".github/workflows/check.yml"} <= {*files}
    settings = tomllib.loads(files["pyproject.toml"])
    entries = settings["project"]["entry-points"]["coterie.plugins"]
    assert entries == {"methods": "lab_methods.methods"}
    assert "src/lab_methods/methods.py" in files
    assert f"{kind}/lab-methods:lab-methods" in files["README.md"]
    assert "${{ matrix.python }}" in files[".github/workflows/check.yml"]
    for path, text in files.items():
        assert text.endswith("\n"), path
        if path.endswith(".py"):
            compile(text, path, "exec")
            assert max(map(len, text.splitlines())) <= 100


@pytest.mark.parametrize(
    "name",
    ["", "-x", "x-", "a b", "a/b", "../a", "1st", "class", "json", "coterie", "ä", "a" * 9 + "/"],
)
def test_names_that_will_not_do_are_refused(name: str) -> None:
    with pytest.raises(ParameterError):
        names_from(name)


def test_a_class_never_hides_what_it_derives_from() -> None:
    assert names_from("kernel").class_name == "MyKernel"
    assert names_from("x2").class_name == "X2"


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    folder = write_package("mine", "ranker", tmp_path)
    before = (folder / "README.md").read_text(encoding="utf-8")
    with refuses("file-exists", WorkspaceError):
        write_package("mine", "kernel", tmp_path)
    assert (folder / "README.md").read_text(encoding="utf-8") == before
    file = write_file("mine", "ranker", tmp_path)
    with refuses("file-exists", WorkspaceError):
        write_file("mine", "kernel", tmp_path)
    assert "Ranker" in file.read_text(encoding="utf-8")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine", "mine.py"]


def test_a_module_that_is_installed_is_taken() -> None:
    assert is_taken("numpy")
    assert not is_taken("surely_nobody_has_this")


def test_new_plugins_are_in_order_for_ruff_wherever_they_lie(tmp_path: Path) -> None:
    ruff = Path(sys.executable).with_name("ruff")
    if not ruff.exists():
        pytest.skip("there is no ruff here")
    for kind in KINDS:
        write_package(f"lab-{kind}", kind, tmp_path)
        write_file(f"one-{kind}", kind, tmp_path / "single")
    (tmp_path / "single" / "ruff.toml").write_text(
        'line-length = 100\n[lint]\nextend-select = ["I"]\n', encoding="utf-8"
    )
    for asked in (["check"], ["format", "--check"]):
        said = subprocess.run(
            [ruff, *asked, "--no-cache", tmp_path], capture_output=True, text=True, check=False
        )
        assert said.returncode == 0, said.stdout
