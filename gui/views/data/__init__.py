"""The Data view: the items as a table."""
