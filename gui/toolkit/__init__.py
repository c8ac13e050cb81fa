"""Widgets and services that every part of the window uses."""
