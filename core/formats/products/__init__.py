"""Products as they are delivered: archives, band files, virtual rasters, metadata, quality bits."""
