"""Graphs: which items are joined, and how strongly."""
