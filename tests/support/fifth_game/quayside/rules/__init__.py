"""The rules: pieces, positions, actions and rulings."""
