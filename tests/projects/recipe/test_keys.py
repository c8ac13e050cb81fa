"""The window and the engine come to the same key of a step."""

from pathlib import Path
from textwrap import dedent

from coterie.core.engine.messages import Order
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.projects.jobs.job import Status
from coterie.projects.recipe.keys import Computed, implied_keys, order_for, request_of
from coterie.projects.session import Session

from ..conftest import NewSession

STEP = Step("scaled", "transform/minmax", ("data",))
ARCS = Recipe(sources=(Source(open="arcs", params={"n": 20}),), steps=(STEP,))
# What it is given is not what it makes of it.
SHOUTING = '''
    from pydantic import field_validator
    import numpy as np
    from coterie.core import Kernel, hookimpl

    class Shouting(Kernel):
        """Takes any case for upper case."""
        id, title = "shouting", "Shouting"

        class Params(Kernel.Params):
            """One word."""
            word: str = "one"

            @field_validator("word", mode="before")
            @classmethod
            def loud(cls, value):
                return value.upper()

        def compute(self, data, *, params, context):
            assert params.word.isupper()
            return np.ones((data.n, data.n))

    @hookimpl
    def coterie_kernels():
        return [Shouting]
'''

WITH_HELPER = '''
    import importlib.util
    from pathlib import Path
    import numpy as np
    from coterie.core import Kernel, hookimpl

    spec = importlib.util.spec_from_file_location("h", Path(__file__).with_name("_helper.py"))
    helper = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(helper)

    class Near(Kernel):
        """As near as its helper says."""
        id, title = "near", "Near"

        def compute(self, data, *, params, context):
            return np.full((data.n, data.n), helper.NEAR)

    @hookimpl
    def coterie_kernels():
        return [Near]
'''


def known(session: Session) -> dict[str, Computed]:
    """The data, as if they had been read under a key of our own."""
    while not session.catalogue.methods:
        session.wait(0.1)
    reader = session.catalogue.get("reader/sample")
    return {"data": Computed("d" * 64, {}, request_of(ARCS.sources[0], reader))}


def test_an_order_carries_the_key_that_the_recipe_implies(session: Session) -> None:
    computed = known(session)
    implied = implied_keys(ARCS, session.catalogue, computed)
    order = order_for("scaled", ARCS, session.catalogue, implied.get)
    assert isinstance(order, Order)
    assert order.key == implied["scaled"]


def test_the_key_of_data_is_left_to_the_engine_which_reads_the_file(session: Session) -> None:
    known(session)
    assert order_for("data", ARCS, session.catalogue, lambda of: None).key == ""


def test_a_method_that_changes_its_parameters_is_fresh_when_it_has_run(
    new_session: NewSession, tmp_path: Path
) -> None:
    folder = tmp_path / "plugins"
    folder.mkdir()
    (folder / "shouting.py").write_text(dedent(SHOUTING))
    session = new_session(plugins=folder)
    near = Step("near", "kernel/local:shouting", ("data",), {"word": "two"})
    groups = Step("groups", "clusterer/dominant-sets", ("near",))
    session.project.load_recipe(Recipe(sources=ARCS.sources, steps=(near, groups)))
    session.run()
    session.wait(60)
    assert session.status("near") is Status.FRESH
    assert session.status("groups") is Status.FRESH


def test_editing_a_module_beside_a_plugin_makes_its_results_stale(
    new_session: NewSession, tmp_path: Path
) -> None:
    folder, project = tmp_path / "plugins", tmp_path / "p.coterie.h5"
    folder.mkdir()
    (folder / "near.py").write_text(dedent(WITH_HELPER))
    (folder / "_helper.py").write_text("NEAR = 0.5")
    session = new_session(plugins=folder)
    near = Step("near", "kernel/local:near", ("data",))
    session.project.load_recipe(ARCS.with_step(near))
    session.run()
    session.wait(60)
    assert session.status("near") is Status.FRESH
    session.project.save(project)
    session.wait(60)
    session.close()

    (folder / "_helper.py").write_text("NEAR = 0.25")
    session = new_session(plugins=folder)
    session.project.open(project)
    known(session)
    session.wait(60)
    assert session.status("scaled") is Status.FRESH
    assert session.status("near") is Status.STALE
    session.run()
    session.wait(60)
    assert session.status("near") is Status.FRESH
    assert session.results.artefact("near").to_dense().max() == 0.25
