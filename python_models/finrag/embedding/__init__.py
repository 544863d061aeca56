"""Embeddings: models of a registry, their weights, fast encoding and the store of vectors in Lance."""
