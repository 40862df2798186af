"""Photos as they arrive, are kept, and wait to be read."""
