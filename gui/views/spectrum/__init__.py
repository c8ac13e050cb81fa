"""The Spectrum view: eigenvalues and the gaps between them."""
