"""Groups of items: how they are found by means and merges, and how two groupings agree."""
