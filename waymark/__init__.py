"""Photos of a table in, rulings out: what programs and people call."""
