"""Review and correction of readings."""
