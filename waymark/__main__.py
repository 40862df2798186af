"""`python -m waymark`: the command line."""

from waymark.cli.main import main

if __name__ == "__main__":
    main()
