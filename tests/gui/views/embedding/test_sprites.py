"""A cloud of points as one picture."""

from typing import Any

import numpy as np

from coterie.core.model.arrays import Array
from coterie.gui.views.embedding.sprites import Ball, PointCloud

RED, BLUE = "#ff0000", "#0000ff"
BOX, SIZE = (0.0, 0.0, 10.0, 10.0), (40, 20)


def cloud(points: list[tuple[float, float, float, int]], selected: Any = ()) -> PointCloud:
    x, y, depth, codes = (np.array(values) for values in zip(*points, strict=True))
    mask = np.zeros(len(points), dtype=bool)
    mask[list(selected)] = True
    return PointCloud(x, y, depth, codes, mask, (RED, BLUE), "#ffffff", "#000000")


def middle(picture: Array) -> list[int]:
    return [int(value) for value in picture[10, 20]]


def test_the_near_one_hides_the_far_one_whatever_their_order() -> None:
    red, blue = (5.0, 5.0, 0.9, 0), (5.0, 5.0, -0.9, 1)
    for points in ([red, blue], [blue, red]):
        r, _, b, opaque = middle(cloud(points).picture(BOX, SIZE, 5, 1))
        assert r > 200 > b
        assert opaque == 255


def test_what_is_far_fades_into_the_ground() -> None:
    near = middle(cloud([(5.0, 5.0, 1.0, 0)]).picture(BOX, SIZE, 5, 1))
    far = middle(cloud([(5.0, 5.0, -1.0, 0)]).picture(BOX, SIZE, 5, 1))
    assert near[1] < 20
    assert far[1] > 120


def test_where_no_point_is_nothing_is_drawn() -> None:
    picture = cloud([(5.0, 5.0, 0.0, 0), (np.nan, 5.0, 0.0, 0), (50.0, 5.0, 0.0, 0)]).picture(
        BOX, SIZE, 5, 1
    )
    assert picture.shape == (20, 40, 4)
    assert (picture[..., 3] > 0).sum() == len(Ball.of(5).light)


def test_row_0_is_at_the_bottom_of_the_box() -> None:
    picture = cloud([(5.0, 2.0, 0.0, 0)]).picture(BOX, SIZE, 5, 1)
    rows = np.flatnonzero(picture[..., 3].any(axis=1))
    assert rows.mean() == 4


def test_what_is_selected_is_larger_outlined_and_in_front() -> None:
    chosen = cloud([(5.0, 5.0, -0.9, 0), (5.0, 5.0, 0.9, 1)], selected=[0])
    picture = chosen.picture(BOX, SIZE, 5, 1)
    r, _, b, _ = middle(picture)
    assert r > 200 > b
    row = picture[10]
    edge = np.flatnonzero(row[:, 3])[[0, -1]]
    assert row[edge, :3].max() == 0
    assert edge[1] - edge[0] > 5


def test_on_a_fine_screen_a_point_has_more_pixels() -> None:
    one = cloud([(5.0, 5.0, 0.0, 0)])
    coarse = one.picture(BOX, SIZE, 5, 1)[..., 3].astype(bool).sum()
    fine = one.picture(BOX, (80, 40), 5, 2)[..., 3].astype(bool).sum()
    assert 3 < fine / coarse < 5
