"""Readers: from a file to a data set."""
