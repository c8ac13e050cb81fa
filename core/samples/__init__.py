"""The built-in sample data sets."""
