"""Work that grows with the corpus, done part by part: in this process, or as tasks of a Ray cluster, alike."""
