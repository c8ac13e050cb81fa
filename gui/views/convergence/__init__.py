"""The Convergence view: an iterative run, live and afterwards."""
