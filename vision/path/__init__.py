"""The path: link evidence, map matching on the dungeon's graph, strokes and their order."""
