"""The Profile view: how the features differ between the groups."""
