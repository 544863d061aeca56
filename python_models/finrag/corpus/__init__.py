"""From source files to sentences: source layouts, remote paths, sentence splitting."""
