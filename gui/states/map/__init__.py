"""The map without widgets: its scene, layers, classes and regions, and a scene being labelled."""
