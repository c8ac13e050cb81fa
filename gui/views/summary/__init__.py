"""The Summary view: the answer on one page."""
