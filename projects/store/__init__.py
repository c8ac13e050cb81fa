"""Where a project is stored: its file, its workspace, its state and its recovery."""
