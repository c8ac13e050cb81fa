"""What is made of a finished map: how uncertain it is, cleaner, as polygons, on a page."""
