"""Cross-validating a classifier: set up, watched and read."""
