"""Prose that companies share, as templates (see slots.py). What stands here without slots is repeated verbatim."""
