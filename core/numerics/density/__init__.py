"""Groups as regions of high density: one tree of all items, cut at any size."""
