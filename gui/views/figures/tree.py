"""Trees: branches in the colours of their groups, and the line that cuts them."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core.model.arrays import Array, Floats, Ints
from coterie.core.model.figures import Figure
from coterie.core.numerics.drawing.palette import group_colour
from coterie.core.numerics.drawing.tree_shape import branches, groups_of_branches, leaf_places
from coterie.gui.toolkit.plots import plotting
from coterie.gui.toolkit.plots.plotting import pg
from coterie.gui.views.figures.forms import DrawnFigure, span


class Tree(DrawnFigure):
    """Leaves side by side, branchings over them; a click on a branch takes all below it."""

    zooms = (True, False)

    def draw(self) -> None:
        self._places = leaf_places(self.figure)
        across, up, nodes = branches(self.figure)
        self._across, self._up, self._nodes = across, up, nodes
        self._curves: list[Any] = []
        self._recolour(groups_of_branches(self.figure), self.figure.group_colours)
        self._chosen = self.add(
            pg.PlotCurveItem(
                connect="pairs", pen=plotting.line(self.colours.text, 2.0), antialias=False
            )
        )
        self.line = pg.InfiniteLine(
            angle=0,
            movable=True,
            pen=plotting.line(self.colours.accent, 1.6, dashed=True),
            hoverPen=plotting.line(self.colours.accent, 3.0),
        )
        self.line.setZValue(10)
        self.line.hide()
        self.add(self.line)

    def extent(self) -> tuple[float, float, float, float]:
        low, high = span(self.figure.values)
        return -0.6, max(self.figure.marks, 1) - 0.4, low, high

    def places(self) -> tuple[Array, Array]:
        m = self.figure.marks
        return self._places[:m], np.asarray(self.figure.values, np.float64)[:m]

    def mark_at(self, x: float, y: float, reach: tuple[float, float]) -> int:
        leaf = np.flatnonzero(np.abs(self._places[: self.figure.marks] - x) <= 0.5)
        return int(leaf[0]) if len(leaf) else -1

    def branch_at(self, x: float, y: float, reach: tuple[float, float]) -> Ints:
        """Return the leaves below the branch at a place; none where there is no branch."""
        low, high = np.sort(self._across, axis=1).T, np.sort(self._up, axis=1).T
        near = (
            (low[0] - reach[0] <= x) & (x <= low[1] + reach[0])
            & (high[0] - reach[1] <= y) & (y <= high[1] + reach[1])
        )  # fmt: skip
        found = np.flatnonzero(near)
        if not len(found):
            return np.zeros(0, np.int64)
        # Of several the lowest: whoever wants more clicks higher up.
        return self._leaves_below(int(self._nodes[found[np.argmin(high[1][found])]]))

    def marks_in(self, corners: Array) -> Ints:
        """Return the leaves under the width of the brush, as far down as it reaches their line."""
        low, high = corners[:, 0].min(), corners[:, 0].max()
        places = self._places[: self.figure.marks]
        return np.flatnonzero((places >= low) & (places <= high))

    def mark(self, shares: Floats) -> None:
        """Draw the branches again, bolder, of which all leaves have selected items."""
        m, count = self.figure.marks, len(self.figure.values)
        bold = np.zeros(count, dtype=np.bool_)
        bold[:m], bold[m:] = shares > 0, (shares > 0).any()
        assert self.figure.parents is not None
        for node, above in enumerate(self.figure.parents.tolist()):
            if above >= 0:
                bold[above] &= bold[node]
        chosen = bold[self._nodes]
        self._chosen.setData(self._across[chosen].ravel(), self._up[chosen].ravel())

    def show_ticks(self) -> None:
        rows = self.figure.rows
        self.name_axis("left", ())
        if not rows:
            self.name_axis("bottom", (), blank=True)
            return
        order = np.argsort(self._places[: self.figure.marks])
        self.name_axis("bottom", [rows[i] for i in order], self._places[order])

    def show_cut(self, leaf_groups: Ints) -> None:
        """Colour the branches by the groups that the line makes."""
        figure = self.figure
        cut = Figure(form="tree", values=figure.values, parents=figure.parents, groups=leaf_groups)
        self._recolour(groups_of_branches(cut), ())

    def _recolour(self, groups: Ints, chosen: tuple[str, ...]) -> None:
        for curve in self._curves:
            self.plot.removeItem(curve)
            self._items.remove(curve)
        of_line = groups[self._nodes]
        colours = {
            group: group_colour(group, chosen, dark=self.colours.dark) if group >= 0 else ""
            for group in np.unique(of_line).tolist()
        }
        by_colour: dict[str, list[int]] = {}
        for group, colour in colours.items():
            by_colour.setdefault(colour or self.colours.muted, []).append(group)
        self._curves = []
        for colour, alike in by_colour.items():
            lines = np.isin(of_line, alike)
            curve = pg.PlotCurveItem(
                self._across[lines].ravel(),
                self._up[lines].ravel(),
                connect="pairs",
                pen=plotting.line(colour, 1.0),
                antialias=False,  # all lines are level or upright
            )
            self._curves.append(self.add(curve))

    def _leaves_below(self, node: int) -> Ints:
        assert self.figure.parents is not None
        parents, m = self.figure.parents, self.figure.marks
        below = np.zeros(len(parents), dtype=np.bool_)
        below[node] = True
        for one in range(node - 1, -1, -1):
            if parents[one] >= 0 and below[parents[one]]:
                below[one] = True
        return np.flatnonzero(below[:m])
