"""Errors meant for the person running the build.

dbt prints them at the end of its output, so each message says what is wrong, what is allowed and what to do next.
"""


class FinragError(Exception):
    """A fault the user can mend: a path, a file, a registry row or a setting."""
