"""The reasons that a sentence gives for a rise or a fall, for questions that ask why or for a list of drivers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from finrag.text.companies import LEGAL_FORMS, LINKS
from finrag.text.items import split_items
from finrag.text.words import FALL, RISE

MARKER = re.compile(
    r"\b(?:(?:primarily |mainly |largely |partly )?(?:due (?:primarily |mainly )?to|driven (?:primarily |mainly )?by"
    r"|attributable to|because of|owing to|resulting from|as a result of|thanks to|on account of|caused by)"
    r"|reflect(?:ing|ed|s)|resulted from|because)\s+",
    re.I,
)
OF_NAMES = LEGAL_FORMS | LINKS | {"group", "holdings"}
REMARK = re.compile(r",?\s*(?:partially|partly) offset by\b.*$", re.I)


def reasons(sentence: str) -> str | None:
    """What stands after the marker of a cause, without its full stop; None where there is none."""
    found = MARKER.search(sentence)
    return REMARK.sub("", sentence[found.end() :]).strip().rstrip(".") if found else None


def drivers(sentence: str) -> list[str]:
    """The reasons one by one."""
    said = reasons(sentence)
    return split_items(re.sub(r"\s+and\s+(?=[^,]*$)", ", ", said) if said else "")


def goes_with(question: str, sentence: str) -> bool:
    """Whether a sentence speaks of the direction that the question asks about, before it says why."""
    found = MARKER.search(sentence)
    effect = sentence[: found.start()] if found else sentence
    asked = bool(RISE.search(question)), bool(FALL.search(question))
    said = bool(RISE.search(effect)), bool(FALL.search(effect))
    return asked == said or asked[0] == asked[1] or said == (True, True)


def subjects(question: str, names: Sequence[str]) -> dict[str, str]:
    """By company: what of it changed, in a question that asks of each ("A's capital expenditures increase")."""
    found = {}
    for name in names:
        core = mention_of(name).pattern
        possessive = re.compile(
            rf"{core}['’]s?\s+(?P<what>[\w\s&'’-]+?\s(?:increase|decrease|rise|fall|decline|grow)\w*)", re.I
        )
        matches = list(possessive.finditer(question))
        if matches:
            found[name] = matches[-1]["what"]
    return found


def mention_of(name: str) -> re.Pattern:
    """A company's name as people say it: its first two words that are no legal form, with or without the rest."""
    words = re.findall(r"[\w-]+", name)
    core = [word for word in words if word.lower() not in OF_NAMES][:2] or words[:1]
    rest = "".join(rf"(?:\W+{re.escape(word)}\b)?" for word in words[words.index(core[-1]) + 1 :])
    return re.compile(r"\b" + r"\W+".join(map(re.escape, core)) + rf"\b{rest}", re.I)
