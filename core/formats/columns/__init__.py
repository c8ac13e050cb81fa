"""Columns of a file: their cells, the type and role that fit them, and why."""
