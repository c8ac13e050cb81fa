"""How groups and maps are checked: samples of places, and how separate groups are."""
