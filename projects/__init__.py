"""Projects: sessions, project files, recipes and the command line."""
