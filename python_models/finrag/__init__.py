"""Library behind the warehouse's Python models. Importing it costs nothing: every heavy import is local."""
