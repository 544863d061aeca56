"""The corpus made searchable: LanceDB's tables of vectors and text, the rows a query may see, and the exact search."""
