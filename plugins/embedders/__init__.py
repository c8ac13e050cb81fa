"""Embedders: where to draw each item."""
