"""The built-in sample data sets, by name. Nothing is computed or imported until one is made."""

from __future__ import annotations

from coterie.core.samples.sample import Sample

__all__ = ["SAMPLES", "Sample"]

SAMPLES: dict[str, Sample] = {
    sample.name: sample
    for sample in (
        Sample(
            name="arcs",
            title="Two arcs",
            summary="An arc under another: groups that are not round.",
            truth_column="arc",
            size=400,
        ),
        Sample(
            name="moon",
            title="Ball and moon",
            summary="A round group inside the bow of a second one.",
            truth_column="shape",
            size=400,
        ),
        Sample(
            name="rings",
            title="Two rings",
            summary="A ring around another, which no straight line can part.",
            truth_column="ring",
            size=400,
        ),
        Sample(
            name="spirals",
            title="Two spirals",
            summary="Two spirals wound into each other.",
            truth_column="spiral",
            size=400,
        ),
        Sample(
            name="iris",
            title="Iris flowers",
            summary="150 flowers of three species, four measurements each.",
            truth_column="species",
            size=150,
            resizable=False,
        ),
    )
}
