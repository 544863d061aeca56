"""From a question to the context of its answer: entities, scope, retrieval paths, expansion, ranking."""
