"""The examples in the docstrings do what they say."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


PUBLIC = ROOT / "projects" / "python"  # is `coterie` itself


def _name(path: Path) -> str:
    inside = path.relative_to(PUBLIC if path.is_relative_to(PUBLIC) else ROOT)
    return ".".join(["coterie", *inside.with_suffix("").parts])


def _modules_with_examples() -> list[str]:
    return sorted(
        _name(path)
        for folder in ("core", "plugins", "projects", "gui")
        for path in (ROOT / folder).rglob("*.py")
        if ">>> " in path.read_text(encoding="utf-8")
    )


@pytest.mark.parametrize("name", _modules_with_examples())
def test_examples_hold(name: str) -> None:
    module = import_module(name.removesuffix(".__init__"))
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for found in doctest.DocTestFinder().find(module):
        if found.examples:  # to run one without looks at every source file that was ever read
            runner.run(found)
    outcome = runner.summarize()
    assert outcome.attempted > 0
    assert outcome.failed == 0
