"""Transforms: from a data set to a better one."""
