"""The built-in methods, one module each, in a folder per kind."""
