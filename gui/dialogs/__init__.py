"""Dialogs, a folder or a module each."""
