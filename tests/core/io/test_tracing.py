"""COTERIE_TRACE=hooks tells what every hook of every plugin gave."""

from __future__ import annotations

from pathlib import Path

import pytest

from coterie.core.catalogue.registry import Registry

FILE = '''
from coterie.core import Kernel, hookimpl
class One(Kernel):
    """A kernel that is never run."""
    id, title = "one", "One"
    def compute(self, data, *, params, context): ...
@hookimpl
def coterie_kernels():
    return [One]
@hookimpl
def coterie_rankers():
    raise KeyError("lost")
'''


def test_hooks_are_told_when_asked_for_and_only_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.py").write_text(FILE, encoding="utf-8")
    monkeypatch.setenv("COTERIE_TRACE", "1")
    Registry.load([tmp_path])
    assert capsys.readouterr().err == ""
    monkeypatch.setenv("COTERIE_TRACE", "start,hooks")
    Registry.load([tmp_path])
    told = capsys.readouterr().err.splitlines()
    assert "hook: local file mine.py: coterie_kernels() gave [One]" in told
    assert "hook: local file mine.py: coterie_rankers() raised KeyError: 'lost'" in told
    assert any("coterie.plugins.kernels.gaussian offers [Gaussian]" in line for line in told)
