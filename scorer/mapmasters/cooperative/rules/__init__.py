"""The rules: pieces, positions, actions, rulings and the final score."""
