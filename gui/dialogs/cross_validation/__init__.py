"""Repeating a classifier over random samples: set up, watched and read."""
