"""`python -m finrag` is the command `finrag`."""

from finrag.cli.app import main

main()
