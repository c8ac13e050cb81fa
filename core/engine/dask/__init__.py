"""Sending the work of a run to a cluster of computers by Dask."""
