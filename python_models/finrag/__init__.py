"""Library behind the warehouse's Python models. Importing it costs nothing: every heavy import is local."""

from finrag.evaluation import evaluate

__all__ = ["evaluate"]
