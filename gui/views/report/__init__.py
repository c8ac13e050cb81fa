"""The Report view: the project as one page."""
