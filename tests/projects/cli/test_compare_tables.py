"""What `coterie compare` prints of candidates."""

import pytest

from coterie.projects.cli.compare_tables import print_candidates


def test_sizes_of_a_candidate_include_what_its_method_left_over(
    capsys: pytest.CaptureFixture[str],
) -> None:
    row = {
        **{"title": "Cut, 2 groups", "groups": 2, "sizes": [60, 30], "unassigned": 30},
        **{"expected": 0.5, "agreement": 0.5, "stability": None, "truth": None},
        **{"chosen": True, "answer": True},
    }
    print_candidates({"title": "", "sentence": "", "candidates": [row], "left_out": {}})
    assert "60, 30; 30 of these at first unassigned" in capsys.readouterr().out
