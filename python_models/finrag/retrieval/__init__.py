"""Search over sentences: the exact oracle, the LanceDB index, full text and fusion."""
