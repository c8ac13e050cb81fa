"""The examples that Hypothesis draws are the same in every run of `./dev test`."""

import sys
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st


def drawn_examples() -> list[tuple[int, int]]:
    examples = []

    @given(st.integers(), st.integers())
    def draw(first: int, second: int) -> None:
        examples.append((first, second))

    draw()
    return examples


def test_examples_do_not_depend_on_what_is_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if settings.get_current_profile_name() != "fixed":
        pytest.skip("this run draws new examples")
    before = drawn_examples()
    module = ModuleType("imported_later")
    source = tmp_path / "imported_later.py"
    source.write_text(f"NUMBERS = {[*range(1000, 1500)]}")
    module.__file__ = str(source)
    monkeypatch.setitem(sys.modules, "imported_later", module)
    assert drawn_examples() == before
