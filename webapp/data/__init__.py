"""Commands on the whole data folder: check, repair, backup and restore."""
