"""Rules of tile games, data in and data out: topology, records, the dungeon graph, one package per game."""
