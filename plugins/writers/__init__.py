"""Writers: results as files for other programs."""
