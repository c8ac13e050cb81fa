"""Opening a data file: shows how it will be read, so it can be changed first."""
