"""The version of Coterie, written here and nowhere else."""

VERSION = "0.1.0"
