"""`finrag build`: dbt with its progress, its failures in our own sentences, and what came of it."""
