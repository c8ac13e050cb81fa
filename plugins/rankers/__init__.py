"""Rankers: which items matter most."""
