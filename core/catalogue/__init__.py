"""What the plugins offer: found without importing them, loaded one by one, and described."""
