"""Is a claim faithful to a source? Claims of a text, verdicts by rules, and checks on what a judge says.

claims = split_claims(summary)
verdicts = baseline_verdicts(source_sentences, claims)
"""

from finrag.judging.claims import split_claims
from finrag.judging.quotes import Quote, check_quote
from finrag.judging.rules import Verdict, baseline_verdicts, numbers_agree

__all__ = ["Quote", "Verdict", "baseline_verdicts", "check_quote", "numbers_agree", "split_claims"]
