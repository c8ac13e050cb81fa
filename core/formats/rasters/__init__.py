"""Rasters: scenes that stay on disk and are read window by window.

================  ===================================================================
`scene`           what is known of a scene: bands, size, place, scale of its values
`formats`         finding that out from a file: GeoTIFF, ENVI, NetCDF, JP2, Envisat
`sentinel2`       … from a Sentinel-2 SAFE folder
`landsat`         … from a Landsat folder with its MTL file
`cubes`           … from numpy's .npy and .npz
`windows`         reading a window's values and which of its pixels are valid
`truth`           the known classes of a scene's pixels, in a second raster
`derived`         features made of the bands, computed as windows are read
`sampling`        some of the pixels, as a table
`regions`         regions of interest, as GeoJSON
`polygons`        named polygons, and their binary form
`geopackage`      … in the databases that QGIS and ArcGIS exchange
`tiles`           labelling every pixel, tile by tile, with resume
`maps`            class maps as GeoTIFF, with style, quick look and areas
`overviews`       smaller copies in a cache folder, for looking at large scenes
================  ===================================================================

rasterio is imported inside functions, as importing it is slow.
"""
