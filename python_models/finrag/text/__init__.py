"""English is read here: words by class, stems, amounts and their signs, rise and fall, lists, companies, years, items,
refusals, yes and no, acts and causes, for every task alike.

Pure functions of texts, without a database and without a model. What a task makes of what was read stands with the
task: an answer's verdict in finrag.scoring, a claim's in finrag.judging, a question's scope in
finrag.search.multi_path.
"""
