"""A finished copy of the map: filters, polygons, statistics and a page."""
