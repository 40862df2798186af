"""Rules of tile games as data in, data out: catalogue topology, records, the dungeon graph, and one package per game."""
