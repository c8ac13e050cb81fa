"""Opening a data file: how it is read is shown, and may be changed, before it is opened."""
