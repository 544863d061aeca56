"""Calls to language models: tasks, providers, a ledger, limits, a hard budget, and an estimate before sending."""
