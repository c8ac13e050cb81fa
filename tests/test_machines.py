"""Which machines the tests are run as, and which are skipped with a reason."""

import sys
from pathlib import Path

import pytest

from tests import machines


def test_a_kernel_is_run_once_however_many_names_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    codes = {"": "SkylakeX", "Prescott": "Katmai", "Zen": "Haswell"}

    def architectures(OPENBLAS_CORETYPE: str = "") -> str:
        return codes.get(OPENBLAS_CORETYPE, OPENBLAS_CORETYPE)

    monkeypatch.setattr(machines, "architectures", architectures)
    every = set().union(*machines.KERNELS.values())
    found = {machine.name.split()[-1]: machine for machine in machines.kernels(every)}
    assert [name for name, machine in found.items() if not machine.skipped] == [
        "Prescott",
        "Sandybridge",
        "Haswell",
    ]
    assert found["Prescott"].variables == {"OPENBLAS_CORETYPE": "Prescott"}
    assert found["Zen"].skipped == "here it is the same code as Haswell"
    assert found["SkylakeX"].skipped == "here it is the same code as the ordinary tests"


def test_a_kernel_that_the_processor_cannot_run_is_not_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[dict[str, str]] = []

    def architectures(**variables: str) -> str:
        asked.append(variables)
        return "Generic"

    monkeypatch.setattr(machines, "architectures", architectures)
    assert all("the processor lacks" in machine.skipped for machine in machines.kernels(set()))
    assert asked == [{}]


def test_a_python_that_does_not_start_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    assert machines.interpreter("3.12") is None
    paths = {"python3.12": "exit 127", "versions/3.12.1/bin/python": "echo Python 3.12.1"}
    for name, does in paths.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{does}\n")
        path.chmod(0o755)
    assert machines.interpreter("3.12") == tmp_path / "versions/3.12.1/bin/python"
    own = f"Python {sys.version_info.major}.{sys.version_info.minor}"
    assert own not in [machine.name for machine in machines.pythons() if not machine.skipped]
