"""Items of a list in a text: JSON, tables, bullets, lines, semicolons, and prose with commas and "and".

Prose is read with the items that may stand in it, so that the "and" of "Procter and Gamble" separates nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import lru_cache

from finrag.text.plain_text import ONES
from finrag.text.vocabulary import AT, BE, CAN, HAVE, MAY, NAMING, PARTS, PREPOSITIONS, WILL
from finrag.text.words import LEGAL_FORM, NEGATION, normalised, unwrapped
from finrag.text.years import YEAR_DIGITS

BULLET = re.compile(r"^\s*(?:[-*•–]|(?:\*\*)?\(?\d{1,2}[.)]|\(?[a-z][.)])\s+", re.M)
RULE = re.compile(r"[|\s:-]+")  # under the header of a table
CITATION = re.compile(
    r"\s*(?:\[(?:\^?\d[\d,\s-]*|[^\]\[]{0,60}(?:FY|Item|Note|10-K|section|page|pp?\.|source)[^\]\[]{0,60})\]|【[^】]*】|\((?:source|see|cf\.)[^)]*\))",
    re.I,
)
SEPARATOR = re.compile(
    r",?\s+(?:as well as|together with|along with|plus)\s+|,\s*(?:and|or)\s+|,\s+(?!(?:Inc|Corp|Ltd|LLC|L\.P)\b)|\s/\s",
    re.I,
)
AND = re.compile(r"\s+(?:and|&)\s+", re.I)
# What may follow an item in its chunk and leave it the same: "Unilever as competitors", "$5 million on a plant".
TRAIL = re.compile(
    rf"^\W*$|^\W*(?:of\s|in\s|for\s)?(?:fiscal\s(?:year\s)?)?{YEAR_DIGITS}\W*$|^\W*(?:as|in|for|on|at|during|which|that|who|{PARTS}|to\s[a-z]+|because|{CAN}|{MAY}|would|{BE}|expenses?|segments?|risks?|respectively|drove|led|caused|contributed|helped|paid|payable|owed"
    r"|comprised|composed|consisting|made\sup|involving|affecting|relating|related\sto|associated\swith|arising)\b"
    r"|^\W*of\s(?:the\s)?(?:European\sUnion|EU|United\s(?:States|Kingdom))\W*$"
    r"|^\s*\([^)]*\)|^\s(?:of|by)\s(?:about\s|approximately\s)?[$€£]?\d",
    re.I,
)
# What may follow the item that a bullet starts with and only says more of it: no noun, no "of", no "and".
TRAIL_OF_BULLET = re.compile(
    rf"\s*(?:$|[,;(\[.:]|[-–—]\s)|\s(?:{AT}|by|through|via|to|as|with|that|which|who|due|because|driven|{BE}"
    rf"|{HAVE}|{CAN}|{MAY}|{WILL}|increased|decreased|added|accounted|contributed|reduced"
    r"|drove|led|caused)\b|\sof\s[$€£]?\d",
    re.I,
)
# What leads to a sentence and holds no item: "According to Item 1, the segments are …", "In fiscal 2019, …".
ADVERBIAL = re.compile(
    r"^\W*(?:(?:according\sto|based\son|as\s(?:disclosed|described|reported|stated|noted)|per)\s[^,:\x00]*"
    rf"|(?:in|as\sof|at|during|for|by)\s[^,:\x00]*\b{YEAR_DIGITS}(?:\s[\w-]+){{0,3}}),\s+(?:{YEAR_DIGITS},\s+)?",
    re.I,
)
# Whose a name is: "the European Union's ePrivacy Directive", "U.S. Fair Housing Act", "California-based Vireo".
OWNER = re.compile(
    r"(?:\b(?:[A-Z][\w.]*\s){0,2}[A-Z]\w*(?:['’]s|-based)|\b(?:U\.S\.|US|EU|UK|United\s(?:States|Kingdom)|European\sUnion|federal))\s+$"
)
LEAD = re.compile(
    rf"^\W*(?:[$€£]?\d[\d.,]*\s?(?:million|billion|%)?\s(?:{PREPOSITIONS})\W*)?(?:(?:both|an?|(?:impacts?|effects?|launch|introduction|addition|inclusion)\sof(?:\s(?:net\s)?(?:sales|revenues?)\sfrom)?|(?:it|they)\salso\s[a-z]{{3,}}|then|later|subsequently|next|finally|lastly|in|followed\sby|also|the|its|and|mr|mrs|ms|dr|plus|either|fiscal|fy|first|second|third|to\sa\s(?:lesser|smaller)\sextent)\b\.?\W*)*$",
    re.I,
)
FEWER = re.compile(r"\b(?:fewer|less)\s$", re.I)  # "fewer new stores" are no new stores
REMARK = re.compile(
    r"^(?:according to|based on|as (?:disclosed|reported|stated|described|noted|discussed|outlined|set out|mentioned)"
    r"|partially|partly|offset|compared|while|which|who|whose"
    r"|(?:reflect|bring|mak|highlight|underscor|indicat|suggest|signal|demonstrat|illustrat|show|mark|leav|total"
    r"|represent|expos|emphasi[sz])ing (?=[^\x00]*$)\w+"
    r"|with (?:the|each|both|all|its)(?=\s[^\x00]*$)|(?:both|each|all|some|most|none|many) of (?:which|whom|these|them)"
    r"|respectively|including|such as|up from|down from|among (?:others?|other things)|and so on)\b"
    r"|^to a (?:lesser|smaller) extent\W*$"
    r"|^(?:(?:many |several )?others?(?: \w+)?|more|etc)\W*$",
    re.I,
)
# What an item consists of, up to the next item: "Cloud Services, which includes hosting and storage, Data Center".
DETAIL = re.compile(r"^(?:which (?:include|comprise|cover|consist)\w*|including|such as|e\.g\.|for example)\b", re.I)
INTRODUCTION = re.compile(r",?\s(?:namely|such as|including|for example|e\.g\.),?\s")
ASIDE = re.compile(r"\b(?:is|are|was|were|does|do) (?:not|excluded|also|only)\b|\b(?:partially|partly) offset\b", re.I)
ORDINAL = re.compile(r"^\W*(?:first|second|third|fourth|fifth|last|final)(?:ly)?,\s", re.I)
ENUMERATOR = re.compile(r"(?<!\S)\(?(?:\d{1,2}|[ivx]{1,4}|[a-h])\)\s+", re.I)
# "1) Wheat 2) Corn": a number alone separates; the first one, as after "due to (a)", does not.
NEXT_ENUMERATOR = re.compile(r"(?<=[\w)\x00])(?<!\band)(?<!\bor)\s+\(?(?:[2-9]|1\d|ii|iii|iv|v|vi|[b-h])\)\s+", re.I)
SENTENCE = re.compile(r"(?<=[a-z0-9)\]\x00\"”]{2}[.!])\s+(?=[A-Z\x00])")
# What may follow the last of several wordings: "… and higher rents were the main factors".
PREDICATE = re.compile(
    r"\s(?:(?:were|was|are|is)\s(?:the|also|among|all|both|each|cited|named|listed|mentioned|identified|responsible)\b"
    r"|(?:all|each|both)\s|drove|led|caused|contributed|accounted|explain|offset\b).*$",
    re.I | re.S,
)
MARK = re.compile("\x00(\\d+)\x00")
SUM_OF = re.compile(
    r"^(?:[$€£]\d[\d.,]*\s?(?:thousand|million|billion)?"
    r"|an?\s[$€£]?\d[\d.,]*\s?(?:%|percent|million|billion)\s(?:increase|rise|growth))\s(?:of|in|for)\s",
    re.I,
)
# What the sentence sets apart from its list, and its further predicates: "A and B, but not C, and leases its offices".
EXCLUDED = re.compile(r"^(?:(?:but|and|though)\s)?(?:not|excluding|except|rather\sthan|instead\sof|unlike)\b", re.I)
FURTHER_PREDICATE = re.compile(r"^(?:and\s)?[a-z]+(?:s|ed)\s(?:its|an?|the|their|to|in)\s")
COUNTED = re.compile(
    rf"^[^,\x00]*\b(?:ha(?:s|ve|d)|are|were|in(?:to)?|(?:{NAMING}|mad|complet)\w*)\s(?:the\s)?"
    rf"(?:\d{{1,2}}|{'|'.join(ONES[2:11])})\s(?:[\w-]+\s){{0,3}}[\w-]+s,\s(?=(?:the\s)?\x00)",
    re.I,
)
COST = re.compile(r"\W*for\s[$€£]?\d", re.I)
TITLE = re.compile(
    r"\W*(?:(?:Interim|Executive|Senior|Vice|Chief|our|its|and|the)\s)*(?:(?:Executive|Financial|Operating|Accounting|\w+)\s(?=Officer)"
    r"Officer|President|Chair\w*|Director|Treasurer|General\sCounsel|Secretary|C[EFO]O)\b[^\x00]*$"
)
APPOSITION = re.compile(r"\W*an?\s", re.I)
# What a sentence says of its list before it begins: "SG&A rose 9% to $2 billion, driven by …".
INTRODUCED = re.compile(
    r"^(?:(?:[^\x00,]|,(?=\d))*,(?!\d))?(?:[^\x00,]|,(?=\d))*\b(?:driven\sby|due\sto|because\sof|attributable\sto|reflecting|resulting\sfrom|led\sby|result\sof|owing\sto"
    r"|caused\sby|includes?|including|are|were)\W*(?=\x00)",
    re.I,
)
RELATIVE = re.compile(
    r"((?:,\s|\s?[—–]\s?)(?:(?:both|each|all|none|most|some|many)\sof\s)?(?:which|whom?|whose)\b)(?!\s(?:include|compris|cover|consist))[^,;\x00]*",
    re.I,
)
# What an item adds in brackets, if it takes nothing back: "Kestrel Data (June 2021, for $240 million)".
IN_BRACKETS = re.compile(
    r"(?<=\d\x00)\s\((?![^()]*\b(?:not|no|excl\w+|former\w*|until|never|sold|except)\b)[^()\x00]*\)", re.I
)
# What an item is for, in which "and" separates no items: "a committee designed to set policies and protocols".
PURPOSE = re.compile(r"(?<=\x00)\s(?:designed|intended|aimed|used)\s(?:to|at)\b(?![^\x00]*\x00)", re.I)
FORM = rf"(?:,?\s{LEGAL_FORM})?"


def as_items(value: Sequence[str] | str | None, known: Sequence[str] = ()) -> list[str]:
    return split_items(value, known) if isinstance(value, str) else list(value or [])


def rows_in_words(text: str) -> str:
    """A text with the rows of its markdown tables in words, each cell behind the header of its column, "Revenue, 2025
    $5 million, 2024 $4 million", and without the header. What heads the labels is left out."""
    lines: list[str] = []
    header: list[str] = []
    for line in text.splitlines():
        if not line.strip().startswith("|"):
            header = []
            lines.append(line)
        elif RULE.fullmatch(line):
            header = cells_of(lines.pop()) if lines and lines[-1].strip().startswith("|") else []
        elif len(cells := cells_of(line)) == len(header):
            named = [f"{name} {cell}".strip() for name, cell in zip(header[1:], cells[1:], strict=True) if cell]
            lines.append(", ".join([cells[0], *named]))
        else:
            lines.append(line)
    return "\n".join(lines)


def cells_of(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip().removeprefix("|").removesuffix("|").split("|")]


def unwrapped_items(text: str) -> list[str] | None:
    """The items of an answer in JSON; None for any other."""
    text = unwrapped(text).strip()
    if text.startswith(("[", "{")):
        try:
            said = json.loads(text)
            return [f"{key} {value}" for key, value in said.items()] if isinstance(said, dict) else list(map(str, said))
        except (ValueError, RecursionError):
            pass  # square brackets of another kind: read it as text
    return None


def split_items(text: str, known: Sequence[str] = ()) -> list[str]:
    """Items of a text. known are items that may stand in it; where they do, they are not split."""
    if (listed := unwrapped_items(text)) is not None:
        return listed
    text = unwrapped(text).strip()
    text = without_citations(text)
    rows = [line.strip() for line in text.splitlines() if line.strip().startswith("|")]
    if len(rows) > 2:
        cells = [[cell.strip() for cell in row.strip("| ").split("|")] for row in rows[1:] if not RULE.fullmatch(row)]
        is_numbered = all(len(row) > 1 and re.fullmatch(r"#?\d{0,3}\.?", row[0]) for row in cells)
        columns = [[row[place] for row in cells] for place in range(min(map(len, cells), default=0))]
        columns.append([" ".join(row) for row in cells])
        held = [sum(any(mention_of(item).search(cell) for item in known) for cell in column) for column in columns]
        place = held.index(max(held)) if max(held) and not held[is_numbered] else int(is_numbered)
        if known and not max(held) and all(re.search(r"[$€£]\s?\d", item) for item in known):
            place = len(columns) - 1  # the label is in other words, its amount in another column
        return columns[place]
    if len(BULLET.findall(text)) > 1:
        first = BULLET.search(text).start()
        items = [item.split("\n\n")[0].strip() for item in BULLET.split(text[first:]) if item.strip()]
        return [each for item in items for each in of_bullet(item, known)]
    lines = [line.strip() for line in text.replace("**", "").splitlines() if line.strip()]
    if len(lines) > 1:
        said = [line for line in lines if any(mention_of(item).search(line) for item in known)]
        if any(sum(bool(mention_of(item).search(line)) for item in known) > 1 for line in said):
            return [item for line in said for item in in_prose(line, known)]
        return [
            re.sub(r"^and\s+", "", BULLET.sub("", line)) for line in lines if line in said or not is_remark(line, said)
        ]
    return in_prose(text, known)


def of_bullet(item: str, known: Sequence[str]) -> list[str]:
    """A bullet, or the known items after its heading: "2017: Lakeview Tissue; Brandt & Sons"."""
    bare = SUM_OF.sub("", item.replace("**", ""))
    head, _, rest = bare.partition(": ")
    if not any(mention_of(name).search(head) for name in known) and any(
        mention_of(name).search(rest) for name in known
    ):
        only = headed_by(rest, known)
        return in_prose(rest, known) if only == rest else [only]
    named = headed_by(bare, known)
    return [named if named in known else item]


def headed_by(item: str, known: Sequence[str]) -> str:
    """The known item that a bullet starts with, if the rest only says more of it: "Reduce costs by $100 million"."""
    for name in sorted(known, key=len, reverse=True):
        found = mention_of(name).match(item)
        rest = item[found.end() :] if found else ""
        if found and TRAIL_OF_BULLET.match(rest) and not NEGATION.search(" ".join(rest.split()[:3])):
            is_one = not any(mention_of(other).search(rest) for other in known if other != name)
            return name if is_one else item
    return item


def is_remark(line: str, said: Sequence[str]) -> bool:
    """A line that leads to the list or, where others hold its items, ends in a full stop."""
    return line.endswith(":") or (bool(said) and line.endswith("."))


def without_citations(text: str) -> str:
    return CITATION.sub("", text).strip()


def in_prose(text: str, known: Sequence[str]) -> list[str]:
    """Items between semicolons, else commas and the last "and", of the sentences that hold any."""
    marked = text.replace("**", "")
    for place in sorted(range(len(known)), key=lambda place: -len(known[place])):
        marked = mention_of(known[place]).sub(f"\x00{place}\x00", marked)
    sentences = SENTENCE.split(RELATIVE.sub(r"\1", IN_BRACKETS.sub("", marked)))
    if MARK.search(marked):
        sentences = [sentence for sentence in sentences if MARK.search(sentence)]
    told = [set(MARK.findall(sentence)) for sentence in sentences]
    return [
        item
        for place, sentence in enumerate(sentences)
        if not told[place] or not told[place] <= set().union(*told[:place])  # or it only says more of those before
        for item in in_sentence(sentence, known)
    ]


def in_sentence(sentence: str, known: Sequence[str]) -> list[str]:
    numbers = list(ENUMERATOR.finditer(sentence))
    if len(numbers) > 1 and not MARK.search(sentence[: numbers[0].start()]):
        sentence = sentence[numbers[0].start() :]  # without what leads to "(1) …, (2) …"
    sentence = NEXT_ENUMERATOR.sub("; ", sentence)
    sentence = COUNTED.sub("", INTRODUCED.sub("", ADVERBIAL.sub("", ENUMERATOR.sub("", ORDINAL.sub("", sentence)))))
    if (introduction := INTRODUCTION.search(sentence)) and not MARK.search(sentence[: introduction.start()]):
        sentence = INTRODUCTION.sub(": ", sentence, count=1)
    lead, colon, rest = sentence.partition(": ")
    if colon and rest and not MARK.search(lead) and (MARK.search(rest) or SEPARATOR.search(rest) or AND.search(rest)):
        sentence = rest
    if ";" in sentence:
        chunks = [re.sub(r"^and\s+", "", part.strip()) for part in sentence.split(";")]
        if MARK.search(sentence):
            chunks = [chunk for chunk in chunks if MARK.search(chunk) or not ASIDE.search(chunk)]
        if len(chunks) == 1 or any(len(MARK.findall(chunk)) > 1 for chunk in chunks):
            return [item for chunk in chunks for item in in_sentence(chunk, known)]
    else:
        chunks = SEPARATOR.split(sentence)
        while len(chunks) > 1 and is_afterthought(chunks[-1].strip(), "".join(chunks[:-1])):
            chunks.pop()  # what follows a remark is no list's end
        is_short = len(chunks) > 1 or len(sentence.split()) <= 8
        chunks = [part for chunk in chunks for part in at_and(chunk, is_short and chunk is chunks[-1])]
    items = []
    is_detail = False
    are_names = all(item[:1].isupper() for item in known)
    for place, chunk in enumerate(chunks):
        found = MARK.search(chunk)
        names = bool(items) and items[-1] in known and items[-1][:1].isupper()
        is_detail = not found and (is_detail or (bool(items) and bool(DETAIL.match(chunk.strip()))))
        is_apart = EXCLUDED.match(chunk.strip()) or (not found and are_names and FURTHER_PREDICATE.match(chunk.strip()))
        if is_detail or (is_apart and items):
            continue
        if (
            found
            and not FEWER.search(chunk[: found.start()])
            and (place == 0 or LEAD.match(OWNER.sub("", chunk[: found.start()])))
            and (TRAIL.match(chunk[found.end() :]) or acts(known[int(found[1])], chunk[found.end() :]))
        ):
            items.append(known[int(found[1])])
        elif (
            not found
            and names
            and (COST.match(chunk) or TITLE.match(chunk) or (place + 1 < len(chunks) and APPOSITION.match(chunk)))
        ):
            continue  # "Ionix, a maker of additives, for $85 million"
        elif not REMARK.match(chunk.strip()):
            said = MARK.sub(lambda match: known[int(match[1])], chunk).strip().rstrip(".")
            items.append(PREDICATE.sub("", said) if place == len(chunks) - 1 else said)
    return [item for item in items if item.strip(" .")]


def is_afterthought(chunk: str, before: str) -> bool:
    """A remark without an item of its own: "…, with First Meridian as their agent"."""
    found = set(MARK.findall(chunk))
    return bool(REMARK.match(chunk)) if not found else chunk.startswith("with ") and found <= set(MARK.findall(before))


def acts(name: str, rest: str) -> bool:
    """Whether an item is a name of which something is said: "Maria Chen chairs the committee", "and Intel each did"."""
    words = [
        word for word in re.findall(r"[^\W\d_][\w'’.-]*", name) if word not in ("of", "and", "the", "for", "de", "van")
    ]
    return bool(words) and all(word[0].isupper() for word in words) and bool(re.match(r"\s[a-z]", rest))


def at_and(chunk: str, is_last: bool) -> list[str]:
    """A chunk at its "and" where a known item stands beside it, or where the text is a list's end."""
    if purpose := PURPOSE.search(chunk):
        *firsts, last = at_and(chunk[: purpose.start()], is_last)
        return [*firsts, last + chunk[purpose.start() :]]
    parts = AND.split(chunk)
    if len(parts) > 1 and (is_last or sum(bool(MARK.search(part)) for part in parts) > 1):
        return parts
    if len(parts) == 2 and MARK.search(parts[0]) and not parts[0][MARK.search(parts[0]).end() :].strip():
        return parts
    return [chunk]


@lru_cache(maxsize=4096)
def mention_of(item: str) -> re.Pattern:
    """An item as it may be written: & for and, a hyphen for a space, in the plural, FY2019 for 2019."""
    words = [re.escape(word) for word in re.split(r"[\s-]+", item.strip().rstrip("."))]
    words = [r"(?:and|&)" if word in ("and", r"\&") else word.replace("'", "['’]") for word in words]
    words = [re.sub(r"^([A-Z]\w{3,}?)(ian|an)$", r"\1(?:\2|['’]s)", word) for word in words]  # "Brazil's"
    prefix = r"(?:FY\s?|fiscal\s(?:year\s)?)?" if re.fullmatch(YEAR_DIGITS, item.strip()) else ""
    phrase = r"[\s-]+".join(words).replace(r"[\s-]+\$", r"\s+\$")  # "-$5" is a minus
    phrase += FORM if item.strip()[:1].isupper() else ""
    return re.compile(rf"(?<![\w$\x00]){prefix}{phrase}s?(?![\w\x00])", re.I)


def distinct(items: Sequence[str]) -> list[str]:
    """Items with different normalised texts, in order; blank ones left out."""
    return list({normalised(item): item for item in reversed(items) if normalised(item)}.values())[::-1]
