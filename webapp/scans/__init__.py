"""Photos wait to be read, and are read by processes of their own."""
