"""What photos tell, and the turn between two of them."""
