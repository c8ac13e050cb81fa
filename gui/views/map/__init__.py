"""The Map view, and the panels, tools and dialogs that belong to it."""
