"""The table's server: pages and API under `http`, games, tableaus, disputes, the log of sessions, the queue
of photos, and the store. Readings and rulings come from `waymark`."""
