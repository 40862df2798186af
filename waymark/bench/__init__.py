"""`waymark bench`: photos with known truth read, measured and played."""
