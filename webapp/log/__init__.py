"""The log leaves and comes in: one zip of everything, tables, and the forms that other programs take."""
