"""The boxes of a table: catalogues in the data folder, and how far their cards are traced."""
