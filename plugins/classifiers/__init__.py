"""Classifiers: from a labelled sample to a label for any item."""
