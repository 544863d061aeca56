"""The sentiment benchmark: labelled headlines, labels read from free-text replies, and how well they agree."""
