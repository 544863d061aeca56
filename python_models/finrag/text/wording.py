"""Small rules of English that turn a filing's words into a question's: who speaks, which case, how lists are joined."""

from __future__ import annotations

import re
from collections.abc import Sequence

from finrag.text.stems import PAST_OF
from finrag.text.vocabulary import BE, CAN, MAY, PARTS, WILL, members
from finrag.text.words import LEGAL_FORM, SMALL_WORDS

_LEGAL_FORM = re.compile(rf"(?:,? (?:and |& )?{LEGAL_FORM})+$", re.IGNORECASE)
# Words that open the name of a measure and are no proper names.
_PLAIN_WORDS = frozenset(
    """
    a adjusted aggregate an annual average basic capital cash commercial consolidated cost costs corporate debt diluted
    direct domestic earned earnings effective fee general gross income insurance interest international investment
    investing license long-term maintenance net non-operating operating operations other our overall pre-tax premium
    premiums pretax product products profit provision research revenue revenues sales segment selling service services
    short-term shipping subscription technology the total underwriting
    """.split()
)
# Opening words that keep their capital: names of places and institutions, and adjectives made of them.
_PROPER = re.compile(
    r"(?:China|Congress|Medicare|Medicaid|Brexit|Europe|Russia|Japan|India|Mexico|Canada|Brazil|Taiwan|Israel|Ukraine"
    r"|Internet|\w+(?:ese|pean|ican|itish|sian|adian|ilian))$"
)
# Words that open a clause before a name or an acronym: "New AI offerings".
_OPENERS = frozenset("a additional any certain changes future increased many more new our other some the".split())
_MODALS = members(CAN, WILL, MAY, "cannot|did|had|must|shall|should|was")
# Past forms that do not end in "ed"; they are the same for "it" as for "we".
_PAST = PAST_OF.keys() | frozenset(
    """
    became bore broke brought caught cut dealt felt fled forgot fought found heard hit knew let meant put quit said sent
    set spoke spread stuck strove struck swore taught thought
    """.split()
)
_PREFIXED = re.compile(r"(?:under|over|with|fore|re|out)(?=\w{3})")  # underwent, overcame, rebuilt
# After "we" these open no verb: "we and our partners", "we as a retailer".
_NO_VERBS = SMALL_WORDS - members(BE)
_THIRD_PERSON = {"are": "is", "were": "was", "have": "has", "do": "does", "be": "is"}
_ADVERB = (
    r"(?:(?:(?!(?:ap|com|im|re|sup)p?ly\b)\w+ly"
    rf"|also|not|never|ever|again|still|already|now|often|sometimes|soon|then|thus|therefore|otherwise|together|further"
    rf"|first|no longer|{PARTS}) )*"
)


def short_name(name: str) -> str:
    """A company's name without its legal form: "Netflix, Inc." is "Netflix"."""
    return _LEGAL_FORM.sub("", name).strip() or name


def possessive(name: str) -> str:
    return name + ("'" if name.endswith("s") else "'s")


def lower_first(text: str) -> str:
    """The text as it stands within a sentence: lower case unless it opens with a proper name or an acronym."""
    first = re.match(r"[\w'’-]+", text)
    is_title = re.match(r"[\w'’-]+ (?:(?:and|&|of) )?[A-Z]", text)
    if first and first[0].lower() in _PLAIN_WORDS and not is_title:
        return text[0].lower() + text[1:]
    return text


def lower_clause(text: str) -> str:
    """The same for a clause, whose first word is a name only if it looks like one."""
    words = re.findall(r"[\w'’.-]+", text)
    is_name = (
        not words
        or words[0][1:] != words[0][1:].lower()
        or (len(words) > 1 and words[1][0].isupper() and words[0].lower() not in _OPENERS)
        or _PROPER.match(words[0])
    )
    return text if is_name else text[0].lower() + text[1:]


def upper_first(text: str) -> str:
    return text[:1].upper() + text[1:]


def joined(parts: list[str], last: str = "and") -> str:
    """ "a, b and c"."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def year_in_words(year: int | str) -> str:
    """ "fiscal 2019"; a year that has a name, as one that is called by its end has, goes by it."""
    return year if isinstance(year, str) else f"fiscal {year}"


def years_in_words(years: Sequence[int | str]) -> str:
    if isinstance(years[0], str):
        return joined([str(year) for year in years])
    return "fiscal " + joined([str(year) for year in years])


def filings_in_words(years: Sequence[int | str], name: str = "", is_several: bool = False) -> str:
    """Annual reports of years, and of a company: "fiscal 2019 10-K", "fiscal 2018 to 2020 10-Ks of Acme", "10-K of Acme
    for the fiscal year ended June 30, 2019". is_several: those of several companies."""
    kind = ("10-Ks" if is_several or len(years) > 1 else "10-K") + (f" of {name}" if name else "")
    if isinstance(years[0], str):
        return f"{kind} for {years_in_words(years)}"
    is_run = len(years) > 2 and years[-1] - years[0] == len(years) - 1
    return f"fiscal {years[0]} to {years[-1]} {kind}" if is_run else f"{years_in_words(years)} {kind}"


def third_person(text: str, subject: str = "it") -> str:
    """A company's "we" as seen by others: "we fail to renew our leases" becomes "it fails to renew its leases".

    subject: what the first "we" becomes; later ones become "it". Verbs right after "we" are put into the third person;
    those of "we and our partners" are of several still.
    """
    seen, is_alone = False, False

    def replace(match: re.Match) -> str:
        nonlocal seen, is_alone
        pronoun = "it" if seen else subject
        verb = match["verb"]
        seen, is_alone = True, is_alone or verb not in _NO_VERBS
        return f"{upper_first(pronoun) if match['we'][0] == 'W' else pronoun} {match['adverb']}{_agreeing(verb)}"

    text = re.sub(rf"\b(?P<we>[Ww]e) (?P<adverb>{_ADVERB})(?P<verb>[a-z]+(?:-[a-z]+)*)\b", replace, text)
    if is_alone:
        text = re.sub(r"\b(or|and) (are|have|do)\b", lambda match: f"{match[1]} {_THIRD_PERSON[match[2]]}", text)
    for word, other in (("our", "its"), ("Our", "Its"), ("ours", "its own"), ("us", "it"), ("ourselves", "itself")):
        text = re.sub(rf"(?<![\w.]){word}(?![\w.])", other, text)
    return text


def _agreeing(verb: str) -> str:
    if verb in _THIRD_PERSON:
        return _THIRD_PERSON[verb]
    if verb in _MODALS or verb in _NO_VERBS or verb.endswith("ed") or {verb, _PREFIXED.sub("", verb)} & _PAST:
        return verb
    if re.search(r"(?:s|sh|ch|x|z|o)$", verb):
        return verb + "es"
    if re.search(r"[^aeiou]y$", verb):
        return verb[:-1] + "ies"
    return verb + "s"


def because(direction: str, connector: str, cause: str, counter: tuple[str, str] | None = None) -> str:
    """A sentence that gives the reason: "The increase was primarily due to …, partially offset by …."

    counter: how what worked against it is introduced, and what that was.
    """
    adverb = re.match(r"(?:(primarily|mainly|principally|largely|mostly|predominantly) )?", connector)
    adverb = adverb[1] + " " if adverb and adverb[1] else ""
    plain = connector[len(adverb) :] if adverb else connector
    if plain.startswith("reflecting"):
        verb = f"{adverb}reflected"
    elif plain.startswith("resulting"):
        verb = f"{adverb}resulted{plain[len('resulting') :]}"
    elif plain.startswith("as a result"):
        verb = f"came {adverb}{plain}"
    else:
        verb = f"was {adverb}{plain}"
    offset = f", {counter[0]} {third_person(counter[1])}" if counter else ""
    return f"The {direction} {verb} {third_person(cause, 'the company')}{offset}."
