"""The plugins: what each offers, and switching them on and off."""
