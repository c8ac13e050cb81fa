"""Data sets with known groups, generated from a seed."""
