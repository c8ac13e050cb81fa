"""Recipes: their text, keys, inputs, defaults and edits."""
