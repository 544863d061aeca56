"""Library behind the warehouse's Python models. Importing it costs nothing: every heavy import is local."""

from finrag.evaluation import evaluate
from finrag.search_evaluation import evaluate_search

__all__ = ["evaluate", "evaluate_search"]
