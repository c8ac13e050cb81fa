"""The Affinity view: how similar the items are."""
