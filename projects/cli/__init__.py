"""The command line: a front end beside the window."""
