"""The store: database tables, files, and the life cycle of tableaus."""
