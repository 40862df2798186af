"""A photo becomes an assessment: read, refereed, asked about, corrected, put together again."""
