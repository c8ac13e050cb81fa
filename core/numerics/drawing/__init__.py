"""Figures by matplotlib, without a window: what to draw of a result, and the palette of groups."""
