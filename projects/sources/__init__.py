"""The data files that a project reads: found, moved, attached."""
