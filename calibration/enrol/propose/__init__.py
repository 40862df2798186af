"""A card's dungeon proposed from its face: pencil, until a person says ink."""
