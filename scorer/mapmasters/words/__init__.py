"""The words: vocabulary, and rulings in sentences."""
