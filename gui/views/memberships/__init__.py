"""The Memberships view: how much of each item belongs to each group."""
