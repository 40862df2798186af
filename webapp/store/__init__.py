"""What is kept: the tables, the files, and a tableau in them."""
