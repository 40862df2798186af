"""Decks of a table: catalogues in the data folder, and the tracing progress of their cards."""
