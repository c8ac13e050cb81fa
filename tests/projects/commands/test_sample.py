"""`coterie sample`: listing and writing."""

import json
from typing import Any

import pytest

from coterie.core.samples import SAMPLES


def test_samples_are_listed(coterie: Any) -> None:
    said = coterie("sample")
    assert said.code == 0
    for sample in SAMPLES.values():
        assert sample.name in said.out
        assert sample.summary in said.out


@pytest.mark.parametrize("name", SAMPLES)
def test_a_written_sample_reads_back_as_the_same_data(coterie: Any, name: str) -> None:
    said = coterie("sample", name, "-o", "out.csv")
    assert said.code == 0
    assert said.out.startswith("Wrote out.csv: ")
    made = SAMPLES[name].make()
    (read,) = json.loads(coterie("info", "out.csv", "--json").out)["data"]
    assert read["shape"] == [made.n, made.d]
    assert read["columns"] == list(made.columns)


def test_a_sample_goes_to_the_standard_output(coterie: Any) -> None:
    lines = coterie("sample", "iris").out.splitlines()
    assert len(lines) == 151
    assert lines[0].endswith("species")


def test_an_unknown_sample_is_answered_with_those_there_are(coterie: Any) -> None:
    said = coterie("sample", "irises")
    assert said.code == 1
    assert said.complaint.startswith("There is no sample 'irises'. The samples are arcs, ")
