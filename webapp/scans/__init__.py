"""The scan queue: photos wait in it and are read by processes of their own."""
