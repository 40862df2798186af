"""Disputes about a ruling: what would be otherwise, and who claims what."""
