"""The open deck of Map Masters: declarations, geometry and art."""
