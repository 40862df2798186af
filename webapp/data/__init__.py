"""The data folder as a whole: checked, mended, backed up and restored."""
