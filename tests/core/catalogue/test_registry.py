"""A plugin that fails or lies becomes a record that says why; the others go on."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from coterie.core.catalogue.descriptors import BrokenPlugin, Catalogue
from coterie.core.catalogue.discovery import find_plugins
from coterie.core.catalogue.registry import Registry
from coterie.core.errors import UnknownComponentError
from tests.refusals import refuses

from .plugin_files import distribution, drop_in, good


@pytest.fixture(autouse=True)
def modules_as_they_were() -> Iterator[None]:
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if name.partition(".")[0] != "coterie":
            del sys.modules[name]


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    return folder


def beside_the_built_ins(*folders: Path) -> Catalogue:
    """What plugins offer, and what is broken. To load over a hundred built-ins takes a while."""
    registry = Registry()
    for source in find_plugins(folders):
        if not source.built_in:
            registry.add(source)
    return registry.catalogue


def load(folder: Path) -> tuple[set[str], tuple[BrokenPlugin, ...]]:
    catalogue = beside_the_built_ins(folder)
    return {d.name for d in catalogue}, catalogue.broken


def test_the_built_ins_load_without_a_word() -> None:
    catalogue = Registry.load(safe_mode=True).catalogue
    assert catalogue.broken == ()
    assert {"kernel/gaussian", "clusterer/dominant-sets"} <= {d.name for d in catalogue}


def test_a_drop_in_gets_the_prefix_local(tmp_path: Path) -> None:
    drop_in(tmp_path, "a.py", good())
    registry = Registry.load([tmp_path])
    method = registry.catalogue.get("kernel/local:flat")
    assert method.origin == "local file a.py"
    assert method.summary == "One everywhere."
    assert method.defaults == {"value": 1.0}
    assert method.params["properties"]["value"]["exclusiveMinimum"] == 0
    assert registry.component("kernel/local:flat").id == "flat"


# Each lies or fails in its own way; the words are what the record must say.
CLASS = '''
from collections.abc import Callable
from coterie.core import Field, Kernel, Clusterer, hookimpl

class Bad(Kernel):
    """Bad."""
    id, title = "bad", "Bad"
    {body}
    def compute(self, data, *, params, context):
        return data

@hookimpl
def coterie_kernels():
    return [Bad]
'''
BAD = {
    "raises at import": ("raise ValueError('no luck')", "ValueError: no luck"),
    "exits at import": ("import sys\nsys.exit(3)", "SystemExit: 3"),
    "interrupts at import": ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    "syntax": ("def f(:\n", "SyntaxError"),
    "missing library": ("import does_not_exist", "No module named 'does_not_exist'"),
    "mute error": (
        "class Mute(Exception):\n    def __str__(self):\n        raise RuntimeError\nraise Mute",
        "Mute",
    ),
    "provides no methods": ("x = 1", "provides no methods"),
    "no such hook": (
        "from coterie.core import hookimpl\n@hookimpl\ndef coterie_kernel():\n    return []",
        "no hook 'coterie_kernel'",
    ),
    "hook with arguments": (
        "from coterie.core import hookimpl\n@hookimpl\ndef coterie_kernels(more):\n    return []",
        "def coterie_kernels():",
    ),
    "hook raises": (
        "from coterie.core import hookimpl\n@hookimpl\ndef coterie_kernels():\n    return 1 / 0",
        "ZeroDivisionError",
    ),
    "hook returns no list": (
        "from coterie.core import hookimpl\n@hookimpl\ndef coterie_kernels():\n    return 'bad'",
        "must return a list of classes",
    ),
    "no class": (
        "from coterie.core import hookimpl\n@hookimpl\ndef coterie_kernels():\n    return [3]",
        "must be a subclass of Kernel",
    ),
    "another kind": (
        CLASS.format(body="pass").replace("(Kernel)", "(Clusterer)"),
        "must be a subclass of Kernel",
    ),
    "no id": (CLASS.format(body="pass").replace('id, title = "bad", ', "title = "), "Its id"),
    "bad id": (CLASS.format(body="id = 'Bad Id'"), "Its id"),
    "prefix in the id": (CLASS.format(body="id = 'coterie:bad'"), "Its id"),
    "no title": (CLASS.format(body="title = '  '"), "Its title"),
    "abstract": (
        CLASS.format(body="pass").replace("compute(self", "compote(self"),
        "does not implement compute",
    ),
    "compute without params": (
        CLASS.format(body="pass").replace(", *, params, context", ", context"),
        "must take 'params' by keyword",
    ),
    "unknown input": (CLASS.format(body="needs = ('datset',)"), "inputs are:"),
    "needs is a text": (CLASS.format(body="needs = 'dataset'"), "tuple of texts"),
    "gives something else": (CLASS.format(body="gives = 'clustering'"), "gives affinity"),
    "version is a number": (CLASS.format(body="version = 2"), "version must be a text"),
    "params of another family": (
        CLASS.format(body="class Params:\n        k = 1"),
        "must derive from Kernel.Params",
    ),
    "no schema": (
        CLASS.format(body="class Params(Kernel.Params):\n        k: Callable[[], int] = int"),
        "no valid schema",
    ),
    "no default": (
        CLASS.format(body="class Params(Kernel.Params):\n        k: int"),
        "no valid schema and defaults",
    ),
    "default breaks its own limit": (
        CLASS.format(body="class Params(Kernel.Params):\n        k: int = Field(0, gt=0)"),
        "Parameter 'k' of kernel/bad: input should be greater than 0. Got 0.",
    ),
}


WITHOUT_HOOKS = '''
from coterie.core import Clusterer, Kernel
from coterie.core import Ranker as Imported

class Base(Kernel):
    """Shared, and without an id."""
    def compute(self, data, *, params, context): ...

class One(Base):
    """One."""
    id, title = "one", "One"

class Two(Clusterer):
    """Two."""
    id, title = "two", "Two"
    def compute(self, affinity, *, params, context): ...

Again = One

class _Hidden(One):
    """Not offered."""
    id = "hidden"
'''


def test_a_module_without_hooks_offers_the_classes_that_it_defines(tmp_path: Path) -> None:
    drop_in(tmp_path, "a.py", WITHOUT_HOOKS)
    names, broken = load(tmp_path)
    assert names == {"kernel/local:one", "clusterer/local:two"}
    assert broken == ()


def test_a_module_with_a_hook_offers_what_its_hooks_return_alone(tmp_path: Path) -> None:
    hook = (
        "\nfrom coterie.core import hookimpl\n@hookimpl\ndef coterie_kernels():\n    return [One]"
    )
    drop_in(tmp_path, "a.py", WITHOUT_HOOKS + hook)
    names, broken = load(tmp_path)
    assert names == {"kernel/local:one"}
    assert broken == ()


def test_a_package_offers_the_classes_of_its_modules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    modules = {
        "hookless/__init__.py": "from hookless.methods import One",
        "hookless/methods.py": WITHOUT_HOOKS,
        "hookless/_private.py": WITHOUT_HOOKS.replace('"one"', '"private"'),
    }
    distribution(tmp_path, "hookless", modules, "all = hookless")
    monkeypatch.syspath_prepend(str(tmp_path))
    catalogue = Registry.load().catalogue
    ours = {method.name for method in catalogue if method.origin == "hookless 1.2"}
    assert ours == {"kernel/hookless:one", "clusterer/hookless:two"}
    assert catalogue.broken == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("class No(Component):\n    id = 'no'", "must derive from one of Reader, "),
        ("class No(Kernel):\n    id = 'no'\n    title = 'No'", "does not implement compute"),
        ("class No(Kernel):\n    def compute(self, data): ...", "provides no methods"),
    ],
)
def test_a_class_that_cannot_be_offered_is_reported(text: str, words: str, tmp_path: Path) -> None:
    drop_in(tmp_path, "a.py", f"from coterie.core import Component, Kernel\n{text}\n")
    names, (record,) = load(tmp_path)
    assert names == set()
    assert words in record.error


@pytest.mark.parametrize("case", BAD)
def test_a_bad_plugin_is_told_and_the_others_go_on(case: str, tmp_path: Path) -> None:
    text, words = BAD[case]
    drop_in(tmp_path, "a_bad.py", text)
    drop_in(tmp_path, "b_good.py", good())
    names, broken = load(tmp_path)
    assert names == {"kernel/local:flat"}
    (record,) = broken
    assert words in record.error
    assert "a_bad.py" in record.name
    assert "\n" not in record.error


def test_the_built_ins_go_on_too(tmp_path: Path) -> None:
    drop_in(tmp_path, "a_bad.py", "raise SystemExit")
    catalogue = Registry.load([tmp_path]).catalogue
    assert catalogue.methods == Registry.load(safe_mode=True).catalogue.methods
    assert len(catalogue.broken) == 1


def test_one_bad_component_leaves_the_others_of_its_plugin(tmp_path: Path) -> None:
    text = good().replace("return [Flat]", "return [Flat, 3, Flat]")
    drop_in(tmp_path, "a.py", text)
    names, broken = load(tmp_path)
    assert names == {"kernel/local:flat"}
    assert [record.error.split(".")[0] for record in broken] == [
        "It must be a subclass of Kernel",
        "kernel/local:flat is already offered by local file a",
    ]


def test_one_bad_hook_leaves_the_others_of_its_plugin(tmp_path: Path) -> None:
    drop_in(tmp_path, "a.py", good() + "\n@hookimpl\ndef coterie_clusters():\n    return []\n")
    names, broken = load(tmp_path)
    assert names == {"kernel/local:flat"}
    assert "no hook 'coterie_clusters'" in broken[0].error


def test_an_id_is_given_once(tmp_path: Path) -> None:
    drop_in(tmp_path / "one", "same.py", good())
    drop_in(tmp_path / "two", "same.py", good())
    catalogue = beside_the_built_ins(tmp_path / "one", tmp_path / "two")
    assert [d.id for d in catalogue if ":" in d.id] == ["local:flat"]
    assert "already offered by local file same.py" in catalogue.broken[0].error


def test_two_files_of_one_name_are_two_plugins(tmp_path: Path) -> None:
    drop_in(tmp_path / "one", "same.py", good("One", "one"))
    drop_in(tmp_path / "two", "same.py", good("Two", "two"))
    catalogue = beside_the_built_ins(tmp_path / "one", tmp_path / "two")
    assert {d.id for d in catalogue if ":" in d.id} == {"local:one", "local:two"}
    assert catalogue.broken == ()


@pytest.mark.parametrize("name", ["my kernel.py", "a.b.py", "größe.py", "1st.py"])
def test_any_file_name_will_do(name: str, tmp_path: Path) -> None:
    drop_in(tmp_path, name, good())
    names, broken = load(tmp_path)
    assert names == {"kernel/local:flat"}
    assert broken == ()


def test_annotations_as_text_are_understood(tmp_path: Path) -> None:
    drop_in(tmp_path, "a.py", "from __future__ import annotations\n" + good().lstrip())
    names, broken = load(tmp_path)
    assert (names, broken) == ({"kernel/local:flat"}, ())


def test_an_entry_point_may_name_a_module(site: Path, tmp_path: Path) -> None:
    distribution(site, "my-lab", {"mylab_one.py": good()}, "x = mylab_one")
    names, broken = load(tmp_path)
    assert (names, broken) == ({"kernel/my-lab:flat"}, ())


def test_an_entry_point_may_name_a_package_whose_modules_are_each_loaded(
    site: Path, tmp_path: Path
) -> None:
    distribution(
        site,
        "my-lab",
        {
            "mylab/__init__.py": "",
            "mylab/one.py": good("One", "one"),
            "mylab/shared.py": "X = 1  # helps the others, provides no methods",
            "mylab/_private.py": "raise ValueError('never imported')",
            "mylab/bad.py": "1 / 0",
            "mylab/deep/__init__.py": "",
            "mylab/deep/two.py": good("Two", "two"),
            "mylab/exits/__init__.py": "raise SystemExit",
            "mylab/exits/three.py": good("Three", "three"),
            "mylab/needs/__init__.py": "import does_not_exist",
        },
        "x = mylab",
    )
    drop_in(tmp_path, "z.py", good())
    names, broken = load(tmp_path)
    assert names == {"kernel/my-lab:one", "kernel/my-lab:two", "kernel/local:flat"}
    assert [record.name for record in broken] == ["mylab.bad", "mylab.exits", "mylab.needs"]


def test_a_package_without_any_method_is_told(site: Path, tmp_path: Path) -> None:
    distribution(site, "empty-lab", {"emptylab/__init__.py": ""}, "x = emptylab")
    _, broken = load(tmp_path)
    assert "provides no methods" in broken[0].error


def test_a_broken_plugin_is_imported_once(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    drop_in(tmp_path, "a.py", f"with open({str(trace)!r}, 'a') as f:\n    f.write('x')\n1 / 0\n")
    load(tmp_path)
    assert trace.read_text() == "x"


def test_an_entry_point_to_nowhere_is_told(site: Path, tmp_path: Path) -> None:
    distribution(site, "gone-lab", {}, "x = gone_lab.methods")
    _, broken = load(tmp_path)
    assert "No module named 'gone_lab'" in broken[0].error
    assert broken[0].traceback


def test_globals_that_answer_to_every_name_do_no_harm(tmp_path: Path) -> None:
    odd = dedent(
        """
        class Odd:
            def __getattr__(self, name):
                raise RuntimeError(name)
        odd = Odd()
        """
    )
    drop_in(tmp_path, "a.py", odd)
    drop_in(tmp_path, "b.py", good())
    names, broken = load(tmp_path)
    assert names == {"kernel/local:flat"}
    assert len(broken) == 1


def test_an_unknown_component_is_told() -> None:
    with refuses("unknown-method", UnknownComponentError):
        Registry.load(safe_mode=True).component("kernel/nothing")


OFFERS = '''
    import numpy as np
    from coterie.core import Clusterer, Dataset, RecipeTemplate, Sample, Step

    class Halves(Clusterer):
        """Two groups by the first column."""
        id, title, needs = "halves", "Halves", ("dataset",)

        def compute(self, data, *, params, context):
            return (data.dense_features()[:, 0] > 0).astype(int)

    class Line(Sample):
        """Numbers along a line."""
        id, title = "line", "Line"
        recipe = (Step("groups", "clusterer/halves", ("data",)),)

        def make(self, *, params, context):
            return Dataset(features=np.linspace(-1, 1, 9)[:, None])

    BOTH = RecipeTemplate(
        "both", "Both", "Halves of the data.", (Step("halves", "clusterer/halves", ("data",)),)
    )
    LOST = RecipeTemplate("lost", "Lost", "Nothing.", (Step("a", "clusterer/halves", ("b",)),))
'''


def test_samples_and_recipes_are_offered_as_data_with_the_names_of_their_plugin(
    tmp_path: Path,
) -> None:
    drop_in(tmp_path, "line.py", OFFERS)
    catalogue = beside_the_built_ins(tmp_path)
    assert [sample.id for sample in catalogue.samples()] == ["local:line"]
    assert catalogue.samples()[0].recipe[0].use == "clusterer/local:halves"
    [template] = catalogue.templates_on("data")
    assert (template.id, template.steps[0].use) == ("local:both", "clusterer/local:halves")
    # One that cannot be used is named; all else of its plugin is there.
    [broken] = catalogue.broken
    assert "lost" in broken.name
    assert Catalogue.from_json(catalogue.as_json()) == catalogue
    assert catalogue.templates_on("selection") == ()
