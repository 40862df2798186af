"""Looking over what was read, and correcting it."""
