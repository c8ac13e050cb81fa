"""Kernels: how similar two items are."""
