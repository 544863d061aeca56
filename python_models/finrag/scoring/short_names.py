"""Names that an answer cuts short: "Cloud" for the segment "Orbit Cloud", "Ms. Delgado" for "Maria T. Delgado"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from finrag.text.companies import BEGINNINGS
from finrag.text.items import mention_of
from finrag.text.words import SMALL_WORDS

ASKS_PARTS = re.compile(
    r"\b(?:segments?|divisions?|business(?:es)?|regions?|brands?|(?:product|business|revenue)\s(?:lines?|categor\w+)"
    r"|products|categories|geograph\w+|franchises?)\b",
    re.I,
)
CAPITALISED = r"[A-Z][\w’'&-]+"
NAME = re.compile(rf"{CAPITALISED}(?:\s(?:(?:and|of|&)\s)?{CAPITALISED}){{1,4}}")
# Without these it is another thing: "America", "Retail" of "Other Retail".
TELLING = BEGINNINGS | frozenset("northern southern east eastern west latin central other net gross former all".split())
JOINS = SMALL_WORDS | {"&"}
# An item of a list alone, or what leads to its figure.
BEGINS = r"(?P<before>(?:^|[,;:|\n(*•]|\b(?:and|or|are|in|into)\b|\d[.)]|-\s)[ *]{0,9})"
ENDS = r"(?=[ *]{0,9}(?:$|[.,;:|)\n(–—-]|[$€£\d]|(?:and|or)\s))"
ASKS_PERSONS = re.compile(
    r"\b(?:who|whom|directors?|officers?|executives?|members|chair\w*|signator(?:y|ies)|signed|trustees?|founders?)\b",
    re.I,
)
PERSON = re.compile(
    r"(?P<first>[A-Z][\w’'-]+)(?:\s(?P<middle>[A-Z]\.|[A-Z][\w’'-]+))?\s(?P<last>[A-Z][\w’'-]+)"
    r"(?:,?\s(?:[JS]r\.?|I{2,3}|IV))?"
)
TITLE = r"(?:Mr|Mrs|Ms|Miss|Dr|Messrs)\b\.?"


def with_full_names(text: str, wanted: Sequence[str], question: str | None) -> str:
    """A text with the wanted names of persons and parts that it cuts short, of parts where no other wanted item has a
    word of the rest."""
    if ASKS_PERSONS.search(question or ""):
        text = with_persons(text, wanted)
    if not ASKS_PARTS.search(question or ""):
        return text
    for item in wanted:
        name = item.partition(": ")[0]
        if not NAME.fullmatch(name) or mention_of(name).search(text):
            continue
        others = words_of(" ".join(other for other in wanted if other != item))
        for short in short_forms(name, words_of(text)):
            if not others & words_of(short):
                text, count = re.subn(BEGINS + re.escape(short) + ENDS, rf"\g<before>{name}", text, count=1)
                if count:
                    break
    return text


def with_persons(text: str, wanted: Sequence[str]) -> str:
    """A text with the wanted persons by their whole names, where it calls one by a surname that no other has, or by
    that and the first name or its beginning, without another initial: "Tim Cook" for "Timothy D. Cook"."""
    people = {item: person for item in wanted if (person := PERSON.fullmatch(item))}
    surnames = [person["last"] for person in people.values()]
    for item, person in people.items():
        first, middle, last = person["first"], person["middle"], person["last"]
        begun = "|".join(re.escape(first[:length]) for length in range(len(first), 2, -1))
        between = rf"(?:{re.escape(middle[0])}[\w’'-]*\.?\s)?" if middle else r"(?:[A-Z]\.\s)?"
        named = rf"(?:{TITLE}\s)?(?:{begun}|{first[0]}\.)\s{between}"
        ends = rf"{re.escape(last)}\b(?![’'-]\w|\s[A-Z][a-z])"
        text = re.sub(rf"(?<![\w’'-]){named}{ends}", item, text)
        if surnames.count(last) == 1:
            # the word before may make it another's: "Peter Delgado", not "Chair Delgado"
            alone = re.compile(rf"(?P<before>(?:\b[A-Z][\w’'-]*\.?\s)?)(?<![\w’'-]){ends}")
            text = alone.sub(lambda found, whole=item: in_whole(found, whole), text)
    return text


def in_whole(found: re.Match, name: str) -> str:
    before = found["before"]
    if not before or re.fullmatch(rf"{TITLE}\s", before):
        return name
    return f"{before}{name}" if ASKS_PERSONS.search(before) else found[0]


def words_of(text: str) -> set[str]:
    return {*re.findall(r"\w+", text.lower())} - SMALL_WORDS


def short_forms(name: str, said: set[str]) -> Iterator[str]:
    """The ends and beginnings of a name, the longest first, where no telling word is left out or stands alone. Of two
    things that are joined the first, where the second is not said: "Toys" of "Toys and Digital Games"."""
    words = name.split()
    join = next((place for place, word in enumerate(words) if word.lower() in JOINS), None)
    if join is not None:
        if not words_of(" ".join(words[join:])) & said:
            yield " ".join(words[:join])
        return
    for length in range(len(words) - 1, 0, -1):
        for kept, left in ((words[-length:], words[:-length]), (words[:length], words[length:])):
            if not {word.lower() for word in left} & TELLING and not {word.lower() for word in kept} <= TELLING:
                yield " ".join(kept)
