"""A window needs one of three variables on Linux."""

from __future__ import annotations

import pytest

from coterie.core.io.platform.screen import SCREENS, has_screen


@pytest.mark.parametrize("name", SCREENS)
def test_any_of_the_variables_is_a_screen(name: str) -> None:
    assert has_screen({name: "something"})
    assert not has_screen({name: ""})
    assert not has_screen({})
