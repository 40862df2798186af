"""Cards: features, hypotheses, identity and layout on the table's plane."""
