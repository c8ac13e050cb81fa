"""What repeated draws show: a lead that chance explains is not called a lead."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from coterie.projects.jobs.cross_validate_verdict import standing, verdict


def table(*columns: Any) -> Any:
    """Results of several sizes of the subset, a column of draws each."""
    return SimpleNamespace(
        plan=SimpleNamespace(sizes=tuple(100 * (i + 1) for i in range(len(columns))), tops=(0,)),
        cells=lambda: ((i, 0) for i in range(len(columns))),
        values=lambda _measure, size, _top: np.asarray(columns[size], dtype=float),
    )


def draws(seed: int, mean: float, deviation: float = 0.01, n: int = 10) -> Any:
    return mean + deviation * np.random.default_rng(seed).normal(size=n)


def test_ten_draws_of_settings_that_are_alike_show_nothing() -> None:
    found = table(*(draws(seed, 0.9) for seed in range(4)))
    standing_of = standing(found, "overall")
    assert standing_of is not None
    assert standing_of.worse == ()
    assert len(standing_of.tied) == 3
    assert "10 draws" in verdict(found, "overall")


def test_a_clear_lead_is_named_and_what_ties_with_it() -> None:
    best = draws(0, 0.9)
    found = table(draws(1, 0.5), best, best - 0.0001 * draws(2, 0.0, 1.0))
    standing_of = standing(found, "overall")
    assert standing_of is not None
    assert standing_of.best[0] in (1, 2)
    assert standing_of.worse == ((0, 0),)
    assert len(standing_of.tied) == 1
    clear = table(draws(1, 0.5), best, draws(3, 0.2))
    assert "200 pixels" in verdict(clear, "overall")
    assert standing(clear, "overall").tied == ()  # type: ignore[union-attr]


def test_looking_at_many_settings_asks_for_more_than_one_comparison_does() -> None:
    """A difference of p = .023 counts between two settings, not as the best of twenty-one."""
    lead = np.linspace(-0.5, 0.5, 10) + 0.29
    two, many = (standing(table(*[np.zeros(10)] * n, lead), "overall") for n in (1, 20))
    assert two is not None
    assert many is not None
    assert two.worse == ((0, 0),)
    assert many.worse == ()


@pytest.mark.parametrize(
    "columns",
    [[[0.9, 0.8]], [[0.9, 0.8], [np.nan, np.nan]]],
)
def test_one_setting_alone_is_compared_with_nothing(columns: Any) -> None:
    assert verdict(table(*columns), "overall") == ""


def test_one_draw_shows_nothing() -> None:
    found = table([0.9], [0.8])
    assert "One draw" in verdict(found, "overall")
