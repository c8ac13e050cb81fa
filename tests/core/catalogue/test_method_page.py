"""The page of a method: what its settings and its curves mean."""

from coterie.core.catalogue.method_page import method_page
from tests.gui.prepared import built_in_methods


def test_a_page_says_what_each_curve_means() -> None:
    page = method_page(built_in_methods().get("clusterer/transduction"))
    row = next(line for line in page.splitlines() if line.startswith("| payoff gap |"))
    assert "0 at an equilibrium" in row
