"""Scores of answers against gold: one small file per metric, pure functions without a database.

Similarity (float arrays over pairs of texts): rouge, bertscore, bleurt, cosine; shuffled gives each its baseline on
unrelated pairs. Rules (one answer at a time, with the reason for the verdict): numbers, lists, booleans, abstention,
citations, attribution, bad_questions. models reads the registry seeds/score_models.csv.
"""
