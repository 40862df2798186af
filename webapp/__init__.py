"""The table's server: pages and API under `http`, games, tableaus, disputes, the log of sessions, photos that
wait to be read, and the store they are kept in. What a photo shows and what a rule says, `waymark` tells."""
