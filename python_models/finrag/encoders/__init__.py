"""Models that turn text into numbers: encoders, scorers and rerankers, their weights, and the store of vectors."""
