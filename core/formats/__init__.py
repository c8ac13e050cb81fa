"""Data as files hold it: tables, scenes and the built-in samples."""
