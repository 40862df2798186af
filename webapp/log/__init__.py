"""Export and import of the log: one zip of everything, tables, and formats of other programs."""
