"""Visual words: what small pictures are made of, and where in them it is."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from coterie.core import (
    Array,
    Context,
    Cost,
    DataError,
    Dataset,
    Field,
    Floats,
    Ints,
    Model,
    Output,
    Transform,
)
from coterie.core.numerics.features.gradients import (
    LENGTH,
    PatchGrid,
    dense_descriptors,
    pyramid_histograms,
)

GREY = np.array([0.299, 0.587, 0.114])  # how bright red, green and blue look
PIXELS_AT_ONCE = 1 << 18  # of pictures described between two looks at the cancel button
ROUNDS = 10  # through the sample of descriptors
BATCH = 4096
USUAL_PATCH = 16


class VisualWords(Transform):
    """Describe pictures by how often each kind of patch occurs in each part of them.

    Patches are described by the directions of their edges; k-means finds kinds of patches, the
    words; counted is each word in the whole picture, its quarters, its sixteenths. Rows sum to
    one. The spatial pyramid kernel with the same levels compares such pictures.
    """

    id, title = "visual-words", "Visual words"
    reference = (
        "Lazebnik, Schmid, Ponce (2006). Beyond bags of features: spatial pyramid matching for "
        "recognizing natural scene categories. CVPR."
    )

    class Params(Transform.Params):
        """How many words and parts, and which patches."""

        words: int = Field(
            512,
            ge=2,
            le=8192,
            description="Number of visual words, the kinds of patches that are distinguished.",
            json_schema_extra={"slider": [16, 2048], "log": True},
        )
        levels: int = Field(
            3,
            ge=1,
            le=6,
            description="Levels of the pyramid; each has four times the parts of the one before.",
            json_schema_extra={"slider": [1, 4]},
        )
        patch: int = Field(
            0,
            ge=0,
            le=256,
            description="Side of a patch; 0: 16, or half of a smaller picture.",
            json_schema_extra={"unit": "pixels", "advanced": True},
        )
        step: int = Field(
            0,
            ge=0,
            le=256,
            description="Distance from one patch to the next; 0: half a patch, or as much as the "
            "finest level allows.",
            json_schema_extra={"unit": "pixels", "advanced": True},
        )
        sample: int = Field(
            50_000,
            ge=2,
            description="Number of random patches from which the words are learned.",
            json_schema_extra={"unit": "patches", "advanced": True},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Output:
        """Return the histograms, and the vocabulary for new pictures."""
        context.check()
        grid = _grid(data, params)
        if data.n * grid.count < params.words:
            raise DataError(
                f"There are too few patches for {params.words} words: {data.n} pictures of "
                f"{grid.count}. "
                f"Choose at most {data.n * grid.count} words, or a smaller step.",
                code="picture-too-small",
            )
        vocabulary = _vocabulary(_some_descriptors(data, grid, params, context), params, context)
        model = Model(
            title="Vocabulary",
            dataset=data,
            arrays={"vocabulary": vocabulary},
            settings={"levels": params.levels, "patch": grid.patch, "step": grid.step},
        )
        return Output(self.apply(model, data, context), {"model": model})

    def apply(self, model: Model, data: Dataset, context: Context) -> Dataset:
        """Count the words of the vocabulary in the parts of new pictures."""
        context.check()
        vocabulary, settings = model.arrays["vocabulary"], model.settings
        height, width, _ = _picture_shape(data)
        grid = PatchGrid(height, width, settings["patch"], settings["step"])
        levels, count = settings["levels"], len(vocabulary)
        parts = sum(4**level for level in range(levels))
        histograms = np.empty((data.n, parts * count))
        half_squares = (vocabulary.astype(np.float64) ** 2).sum(axis=1) / 2
        for rows, descriptors in _described(data, grid, np.arange(data.n)):
            context.progress(0.5 + 0.5 * rows.start / data.n, 1, "counting words")
            words = np.empty(descriptors.shape[:2], dtype=np.int64)
            for i, patches in enumerate(descriptors):
                # Nearest is largest in x·c − ‖c‖²/2: one product, and x² need not be known.
                words[i] = np.argmax(patches @ vocabulary.T - half_squares, axis=1)
            histograms[rows] = pyramid_histograms(words, count, grid, levels)
        return data.with_features(histograms, _names(levels, count))

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """The histograms, the sample of descriptors and one block of pictures."""
        try:
            patches = _grid(data, params).count
        except DataError:  # reported when it runs
            patches = 1
        parts = sum(4**level for level in range(params.levels))
        sampled = min(params.sample, data.n * patches)
        products = (data.n * patches + ROUNDS * sampled) * params.words * LENGTH
        return Cost(
            bytes=8 * data.n * parts * params.words + 12 * LENGTH * sampled + (128 << 20),
            seconds=3e-10 * products,
            alternatives=("choose fewer words or levels",),
        )


def _picture_shape(data: Dataset) -> tuple[int, int, int]:
    """Height, width and number of colours of the pictures whose pixels are the features."""
    height, width = (int(data.details.get(name, 0)) for name in ("height", "width"))
    for colours in (1, 3):
        if height and width and data.d == height * width * colours:
            return height, width, colours
    raise DataError(
        f"'{data.title}' holds no small pictures: its {data.d} columns are not the pixels of one "
        "picture per item. Open it with the reader of small pictures, and change no columns "
        "before "
        "this step.",
        code="no-pictures",
    )


def _grid(data: Dataset, params: VisualWords.Params) -> PatchGrid:
    data.clean_features()
    height, width, _ = _picture_shape(data)
    side, finest = min(height, width), 2 ** (params.levels - 1)
    if side < max(4, finest):
        raise DataError(
            f"Pictures of {height} × {width} pixels are too small for {params.levels} levels. "
            f"They need at least {max(4, finest)} pixels each way; choose fewer levels or larger "
            "pictures.",
            code="picture-too-small",
        )
    patch = params.patch or min(USUAL_PATCH, max(4, side // 2 // 4 * 4))
    # Two patches each way in the finest parts, or their counts would be mostly chance.
    step = params.step or max(1, min(patch // 2, side // (2 * finest)))
    grid = PatchGrid(height, width, patch, step)
    if min(len(grid.rows), len(grid.columns)) < finest:
        raise DataError(
            f"A step of {step} pixels leaves parts of a picture of {height} × {width} without "
            f"patches. Choose a step of at most {side // finest}, or fewer levels.",
            code="picture-too-small",
        )
    return grid


def _described(data: Dataset, grid: PatchGrid, chosen: Ints) -> Iterator[tuple[slice, Floats]]:
    """Descriptors of the chosen pictures, some pictures at a time."""
    height, width, colours = _picture_shape(data)
    at_once = max(1, PIXELS_AT_ONCE // max(height * width, grid.count * LENGTH // 16))
    pixels = data.dense_features()
    for start in range(0, len(chosen), at_once):
        rows = slice(start, min(start + at_once, len(chosen)))
        pictures: Array = pixels[chosen[rows]].reshape(-1, height, width, colours)
        grey = pictures[..., 0] if colours == 1 else pictures @ GREY
        yield rows, dense_descriptors(grey, grid)


def _some_descriptors(
    data: Dataset, grid: PatchGrid, params: VisualWords.Params, context: Context
) -> Floats:
    """Descriptors of patches at random, about as many of each picture."""
    order = context.rng.permutation(data.n)
    wanted = max(params.sample, params.words)
    each = min(grid.count, -(-wanted // data.n))
    found: list[Floats] = []
    total = 0
    for rows, descriptors in _described(data, grid, order):
        context.progress(0.1 * rows.start / data.n, 1, "describing patches")
        found += [patches[context.rng.permutation(grid.count)[:each]] for patches in descriptors]
        total += each * len(descriptors)
        if total >= wanted:
            break
    return np.concatenate(found)[:wanted]


def _vocabulary(descriptors: Floats, params: VisualWords.Params, context: Context) -> Floats:
    """The middles of the kinds of patches."""
    from sklearn.cluster import MiniBatchKMeans

    batch = max(BATCH, 2 * params.words)
    means = MiniBatchKMeans(
        params.words, random_state=int(context.rng.integers(2**31)), n_init=1, batch_size=batch
    )
    for done in range(ROUNDS):
        order = context.rng.permutation(len(descriptors))
        # The last part of a round goes with the one before: it may hold fewer patches than words.
        count = max(1, len(order) // batch)
        for number, part in enumerate(np.array_split(order, count)):
            context.progress(0.1 + 0.4 * (done + number / count) / ROUNDS, 1, "finding words")
            # In doubles: scikit-learn's start converts singles again for every word.
            means.partial_fit(descriptors[part].astype(np.float64))
    return np.asarray(means.cluster_centers_, dtype=np.float32)


def _names(levels: int, count: int) -> tuple[str, ...]:
    parts = ["whole"] + [
        f"part {part + 1} of {4**level}" for level in range(1, levels) for part in range(4**level)
    ]
    return tuple(f"word {word + 1}, {part}" for part in parts for word in range(count))
