"""A project as one page for people: its recipe, figures, tables, and how each result came about."""
