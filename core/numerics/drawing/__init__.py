"""Figures without a window: what to draw of a result, as shapes, and shapes as SVG or PNG."""
