"""Plugins as text, and distributions as folders, for the tests of how they are found and loaded."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

GOOD = dedent(
    '''
    """A kernel."""
    import numpy as np
    from coterie.core import Field, Kernel, hookimpl

    class {name}(Kernel):
        """One everywhere."""
        id, title = "{id}", "{name}"

        class Params(Kernel.Params):
            """How much."""
            value: float = Field(1.0, gt=0, description="Similarity of any two.")

        def compute(self, data, *, params, context):
            return np.full((data.n, data.n), params.value)

    @hookimpl
    def coterie_kernels():
        return [{name}]
    '''
)


def good(name: str = "Flat", id: str = "flat") -> str:
    return GOOD.format(name=name, id=id)


def drop_in(folder: Path, name: str, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / name
    file.write_text(dedent(text), encoding="utf-8")
    return file


def distribution(
    site: Path,
    name: str,
    files: dict[str, str],
    entry: str,
    version: str = "1.2",
    requires: tuple[str, ...] = (),
) -> None:
    """Install a distribution into `site`, as far as importlib can tell."""
    about = site / f"{name.replace('-', '_')}-{version}.dist-info"
    about.mkdir(parents=True)
    lines = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}"]
    lines += [f"Requires-Dist: {requirement}" for requirement in requires]
    (about / "METADATA").write_text("\n".join(lines) + "\n")
    (about / "entry_points.txt").write_text(f"[coterie.plugins]\n{entry}\n")
    for path, text in files.items():
        drop_in((site / path).parent, Path(path).name, text)
