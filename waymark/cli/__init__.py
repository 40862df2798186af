"""The command line: it reads arguments, calls the libraries and prints."""
