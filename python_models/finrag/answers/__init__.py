"""Answers to questions: those that others made, what they are scored against, and their scores."""
