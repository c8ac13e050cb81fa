"""The application: the main window, its menus, documents and start page."""
