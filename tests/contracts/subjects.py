"""Every built-in component with the small inputs that it is tested on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from coterie.core.catalogue.descriptors import Descriptor
from coterie.core.catalogue.registry import Registry
from coterie.core.testing import Subject
from coterie.core.testing.inputs import counts, marks, pictures, table

REGISTRY = Registry.load(safe_mode=True)
METHODS = REGISTRY.catalogue.methods
# For components whose defaults ask for more items than the small inputs have, or for a text.
SMALL: dict[str, dict[str, Any]] = {
    "clusterer/dominant-constrained": {"items": [0]},
    "kernel/hausdorff": {"dimension": 3},
    "kernel/cluster": {"initialisations": 2, "max_components": 3},
    "kernel/probabilistic-cluster": {"initialisations": 2, "max_components": 3},
    "transform/band-math": {"formulas": ["both = x1 + 2 * x2"]},
    "transform/change": {"before": ["x1"], "after": ["x2"]},
    "transform/compute": {"expression": "x1 + 2 * x2"},
    "transform/visual-words": {"words": 6},
    "writer/recipe": {"recipe": "title = 'none'\n"},
}
# For components whose items are not just any.
DATA = {
    "kernel/bernoulli": marks,
    "kernel/multinomial": counts,
    "kernel/poisson": counts,
    "transform/visual-words": pictures,
}
# What readers of text find in their file; the others have examples in their own tests.
TEXTS = {
    "reader/csv": "name,a,b\none,1,2\ntwo,3,4.5\n",
    "reader/arff": "@relation few\n@attribute a numeric\n@data\n1\n2\n",
    "reader/json": '[{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]',
    "reader/edges": "source\ttarget\tweight\na\tb\t1\nb\tc\t2\n",
    "reader/spectral-library": "wavelength,grass,soil\n450,0.05,0.1\n850,0.5,0.3\n",
    "reader/texts": "one text\nanother text\n",
}


def example_of(method: Descriptor) -> Callable[[Path], Path] | None:
    if method.name not in TEXTS:
        return None

    def write(folder: Path) -> Path:
        file = folder / f"example{method.extensions[0]}"
        file.write_text(TEXTS[method.name], encoding="utf-8")
        return file

    return write


SUBJECTS = [
    Subject(
        method,
        REGISTRY.component(method.name),
        make=DATA.get(method.name, table),
        values=SMALL.get(method.name, {}),
        example=example_of(method),
    )
    for method in METHODS
]
