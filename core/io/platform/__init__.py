"""What differs between Linux, macOS and Windows: nothing outside asks which system it runs on."""
