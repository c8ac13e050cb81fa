"""The Embedding view: the items as points."""
