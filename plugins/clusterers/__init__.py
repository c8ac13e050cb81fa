"""Clusterers: which items belong together."""
