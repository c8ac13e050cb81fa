"""Checking a map by eye, place by place."""
