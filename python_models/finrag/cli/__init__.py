"""The command `finrag`."""
