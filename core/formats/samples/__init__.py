"""The built-in sample data sets, by name. Nothing is computed or imported until one is made."""

from __future__ import annotations

from coterie.core.formats.samples.sample import BuiltInSample

__all__ = ["SAMPLES", "BuiltInSample"]

SAMPLES: dict[str, BuiltInSample] = {
    sample.name: sample
    for sample in (
        BuiltInSample(
            name="arcs",
            title="Two arcs",
            summary="One arc under another: groups that are not round.",
            truth_column="arc",
            size=400,
        ),
        BuiltInSample(
            name="moon",
            title="Ball and moon",
            summary="A round group inside the curve of another.",
            truth_column="shape",
            size=400,
        ),
        BuiltInSample(
            name="rings",
            title="Two rings",
            summary="One ring around another, which no straight line can separate.",
            truth_column="ring",
            size=400,
        ),
        BuiltInSample(
            name="spirals",
            title="Two spirals",
            summary="Two spirals wound into each other.",
            truth_column="spiral",
            size=400,
        ),
        BuiltInSample(
            name="circles",
            title="Two circles",
            summary="A disc inside another, both evenly filled.",
            truth_column="circle",
            size=400,
        ),
        BuiltInSample(
            name="crescent",
            title="Two crescents",
            summary="Two crescents that reach into each other.",
            truth_column="crescent",
            size=400,
        ),
        BuiltInSample(
            name="three-gaussians",
            title="Three clouds",
            summary="Three round groups of equal size.",
            truth_column="cloud",
            size=900,
        ),
        BuiltInSample(
            name="mixture",
            title="Leaning mixture",
            summary="Three overlapping groups that differ in direction and spread.",
            truth_column="component",
            size=600,
        ),
        BuiltInSample(
            name="multi-scale",
            title="Wide and narrow",
            summary="A wide group beside two narrow ones: no single width suits all.",
            truth_column="group",
            size=1000,
        ),
        BuiltInSample(
            name="multi-scale-uneven",
            title="Wide, many; narrow, few",
            summary="The same with eight times as many in the wide group.",
            truth_column="group",
            size=1000,
        ),
        BuiltInSample(
            name="iris",
            title="Iris flowers",
            summary="150 flowers of three species, four measurements each.",
            truth_column="species",
            size=150,
            resizable=False,
        ),
        BuiltInSample(
            name="wine",
            title="Wines",
            summary="178 wines of three growers, thirteen measurements each.",
            truth_column="grower",
            size=178,
            resizable=False,
        ),
        BuiltInSample(
            name="breast-cancer",
            title="Breast tumours",
            summary="569 tumours, benign or malignant, thirty measurements each.",
            truth_column="diagnosis",
            size=569,
            resizable=False,
        ),
        BuiltInSample(
            name="digits",
            title="Handwritten digits",
            summary="1,797 digits as pictures of 8 × 8 pixels.",
            truth_column="digit",
            size=1797,
            resizable=False,
        ),
        BuiltInSample(
            name="china",
            title="A palace in China",
            summary="The pixels of a photograph, to be divided into regions.",
            truth_column="",
            size=2688,
            resizable=False,
        ),
        BuiltInSample(
            name="cloud-scene",
            title="Clouds over land and water",
            summary="The pixels of a synthetic satellite scene with thirteen bands, partly cloudy.",
            truth_column="kind",
            size=14_400,
            resizable=False,
        ),
    )
}
