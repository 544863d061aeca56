"""Calls to language models: tasks, providers, one ledger, limits, a hard budget, and an estimate before anything is sent."""
