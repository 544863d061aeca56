"""English is read here: words, amounts and their signs, lists, companies, years and items, for every task alike.

Pure functions of texts, without a database and without a model. What a task makes of what was read stands with the
task: an answer's verdict in finrag.scoring, a claim's in finrag.judging, a question's scope in
finrag.search.multi_path.
"""
