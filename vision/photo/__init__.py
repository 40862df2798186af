"""Photos: decoding, lens, geometry, views, and numerical helpers."""
