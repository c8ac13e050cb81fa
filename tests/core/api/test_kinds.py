"""Each kind is declared once, and what is declared exists."""

from __future__ import annotations

from typing import Any

import pytest

from coterie.core.api import hooks
from coterie.core.api.components import Kernel
from coterie.core.api.kinds import KINDS, Kind, declare, makers_of
from coterie.core.model.result_types import RESULT_TYPES


def _hooks() -> dict[str, Any]:
    specified = vars(hooks.specifications())
    return {name: hook for name, hook in specified.items() if name.startswith("coterie_")}


def test_every_kind_has_a_documented_hook_and_gives_a_result_or_a_file() -> None:
    specified = _hooks()
    assert set(specified) == {kind.hook for kind in KINDS.values()}
    assert all(hook.__doc__ for hook in specified.values())
    assert {kind.gives for kind in KINDS.values()} <= {*RESULT_TYPES, "file"}


def test_hooks_keep_their_names() -> None:
    assert list(_hooks()) == [
        "coterie_readers",
        "coterie_transforms",
        "coterie_kernels",
        "coterie_graphs",
        "coterie_clusterers",
        "coterie_embedders",
        "coterie_rankers",
        "coterie_classifiers",
        "coterie_metrics",
        "coterie_plots",
        "coterie_writers",
    ]


def test_what_works_on_files_is_no_step() -> None:
    assert [name for name, kind in KINDS.items() if not kind.is_step] == ["reader", "writer"]


def test_makers_are_named_in_words() -> None:
    assert makers_of("affinity") == "a kernel or a graph"
    assert makers_of("embedding") == "an embedder"
    assert makers_of("trace") == ""


def test_a_kind_is_declared_once() -> None:
    with pytest.raises(ValueError, match="two kinds 'kernel'"):
        declare(Kind(base=Kernel, about="Twice.", icon="data"))
