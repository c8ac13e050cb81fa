"""The layers of a map and their legend."""
