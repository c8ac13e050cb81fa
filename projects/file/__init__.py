"""Project files: one HDF5 file per project."""
