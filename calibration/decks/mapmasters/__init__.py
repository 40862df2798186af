"""The open deck of Map Masters: its declaration, geometry and art."""
