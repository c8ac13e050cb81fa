"""The mathematics, a folder per subject; knows the nouns, never the engine."""
