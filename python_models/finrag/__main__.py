"""`python -m finrag` is the command `finrag`."""

from finrag.cli.app import main

if __name__ == "__main__":
    main()
