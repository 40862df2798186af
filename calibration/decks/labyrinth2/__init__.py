"""The open tile set of Labyrinth 2: Waymark's own board, tiles and pieces, drawn by its own code (art
CC BY 4.0, code MIT). The art is stored with the game's rules, as `scorer.labyrinth2.game.GAME.bundled`."""
