"""The kit runs the recipes that a plugin offers, and says what is wrong with one."""

from pathlib import Path
from textwrap import dedent

from coterie.core.catalogue.registry import Registry
from coterie.core.testing.loading import find_sources
from coterie.core.testing.templates import trials_of

PLUGIN = '''
    import numpy as np
    from coterie.core import Dataset, RecipeTemplate, Sample, Step

    class Line(Sample):
        """Numbers along a line."""
        id, title = "line", "Line"
        recipe = (Step("groups", "clusterer/kmeans", ("data",), {"k": 2}),)

        def make(self, *, params, context):
            return Dataset(features=np.linspace(-1, 1, 9)[:, None])

    CLOSER = RecipeTemplate(
        "closer", "Closer", "Scales the selection.", on="selection",
        steps=(Step("scaled", "transform/minmax", ("selection",)),),
    )
    WRONG_NAME = RecipeTemplate(
        "wrong-name", "Wrong", "Wrong.", (Step("a", "transform/minmix", ("data",)),)
    )
    WRONG_VALUE = RecipeTemplate(
        "wrong-value", "Wrong", "Wrong.", (Step("a", "clusterer/kmeans", ("data",), {"k": "2"}),)
    )
    WRONG_INPUT = RecipeTemplate(
        "wrong-input", "Wrong", "Wrong.", (Step("a", "clusterer/ncut", ("data",)),)
    )
'''


def test_each_recipe_is_run(tmp_path: Path) -> None:
    file = tmp_path / "offers.py"
    file.write_text(dedent(PLUGIN), encoding="utf-8")
    registry = Registry()
    for source in find_sources(str(file)):
        registry.add(source)
    assert registry.catalogue.broken == ()
    found = {trial.name: trial.find() for trial in trials_of(registry)}
    outcomes = {name: finding.outcome for name, finding in found.items()}
    assert outcomes == {
        "recipe/local:closer": "passed",
        "recipe/local:wrong-name": "failed",
        "recipe/local:wrong-value": "failed",
        "recipe/local:wrong-input": "failed",
        "reader/local:line": "passed",
    }
    assert all(finding.what for finding in found.values() if finding.outcome == "failed")
