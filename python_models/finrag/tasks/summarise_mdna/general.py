"""The general summary of the baseline: the themes' sentences that together have as many words as are wanted.

The themes take turns, so that each says its most important sentence before one says its second. Source: the seed's
generic summary, one paragraph of 100 to 150 words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, zip_longest


def within(ranked: Iterable[Sequence[int]], texts: Mapping[int, str], low: int, high: int) -> list[int]:
    """Numbers of sentences with low to high words, most important first; with fewer than low where no such set exists.

    ranked: the sentence numbers of each theme, best first. Of all sets the one is taken whose sentences come earliest
    in their turns: an earlier sentence is left out only where no later ones would make up the words.
    """
    turns = [n for n in chain.from_iterable(zip_longest(*ranked)) if n is not None]
    lengths = [len(texts[n].split()) for n in turns]
    # totals[place]: the numbers of words that sentences from that place on can have together
    totals = [{0}]
    for length in reversed(lengths):
        totals.append(totals[-1] | {total + length for total in totals[-1] if total + length <= high})
    totals.reverse()
    low = min(low, max(totals[0]))
    chosen: list[int] = []
    words = 0
    for place, n in enumerate(turns):
        if words >= low:
            break
        if any(low <= words + lengths[place] + total <= high for total in totals[place + 1]):
            chosen.append(n)
            words += lengths[place]
    return chosen
