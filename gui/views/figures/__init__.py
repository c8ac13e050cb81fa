"""The Figures view: plots of a result as data, with linked selection, and trees that can be cut."""
