"""What plugin authors import is there, costs nothing until used, and is the same for all kinds."""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import coterie.core
from coterie.core.api.components import Component, Kernel, Reader


def test_every_public_name_can_be_imported() -> None:
    for name in coterie.core.__all__:
        assert getattr(coterie.core, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        coterie.core.Nothing  # noqa: B018


def test_importing_the_package_loads_neither_numpy_nor_pydantic() -> None:
    code = "import coterie.core, sys; print({'numpy', 'pydantic', 'scipy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_a_component_that_cannot_be_applied_says_so() -> None:
    class Still(Kernel):
        """Nothing."""

        id, title = "still", "Still"

        def compute(self, data: object) -> None: ...

    component: Component = Still()
    with pytest.raises(TypeError, match="kernel/still cannot be applied"):
        component.apply(None, None, None)
    assert Still.summary() == "Nothing."


class Numbers(Reader):
    """Reads numbers."""

    id, title = "numbers", "Numbers"

    def compute(self, *args: Any, **kwargs: Any) -> Any:
        """Read nothing here."""


def test_a_compressed_file_costs_what_it_unfolds_to(tmp_path: Path) -> None:
    plain, packed, cut = (tmp_path / name for name in ("a.csv", "b.csv.gz", "c.csv.gz"))
    plain.write_bytes(b"1,2\n" * 1_000_000)
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    cut.write_bytes(b"\x1f\x8b")
    reader = Numbers()
    cost = reader.estimate(plain, params=reader.Params()).bytes
    assert reader.estimate(packed, params=reader.Params()).bytes == cost
    assert reader.estimate(cut, params=reader.Params()).bytes < 1 << 24


def test_a_compressed_file_that_may_not_be_read_is_estimated_by_its_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(b"1,2\n" * 1_000_000))

    def refuse(*args: Any, **kwargs: Any) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    reader = Numbers()
    size = (tmp_path / "a.csv.gz").stat().st_size
    cost = reader.estimate(tmp_path, params=reader.Params())
    assert cost.bytes == 3 * 6 * size + (8 << 20)
