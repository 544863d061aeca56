"""Gold items looked for in an answer: a second reading of list answers, for prose that surrounds or words its list.

finrag.text.items cuts an answer into items, which words around a list can spoil. Here the answer is not cut: each gold
item is aligned with words of it (its content words close together, names in order, numbers equal, no opposite
direction, not denied), and what stands in the same enumeration, bullets or rows without belonging to any gold item
is a further item. What explains, dates or introduces the list is in no enumeration and counts as nothing.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from finrag.scoring.denied_items import is_denied
from finrag.scoring.further_items import further_items
from finrag.scoring.gold_words import (
    DOWN,
    FORMS,
    FUNCTION,
    HEADS,
    LETTERS,
    PAREN,
    SEPARATOR,
    SMALL,
    UP,
    VERB,
    WORD,
    Gold,
    Mention,
    Word,
    abbreviates,
    gold_of,
    key_of,
    sign_of,
    small,
    words_of,
)
from finrag.scoring.turned import turned_round
from finrag.text.items import BULLET, RULE, unwrapped_items, without_citations
from finrag.text.places import STATES
from finrag.text.vocabulary import (
    LEGAL,
    NAMING,
    members,
)
from finrag.text.words import REACH, normalised, sentences

CUT = members("cut|cuts|drop|drops")  # after what was cut
PAIR = re.compile(r"^(.*), (.*?)([\s.]*)$")
STATE_OF_TOWN = re.compile(rf"(?<=[a-z]), ((?i:{'|'.join(STATES)}))\b(?=,|;|\s|\.|$)")
OPTIONS = re.compile(
    r"(?P<which>\b(?:[Ww]hich|[Ww]ho|[Ww]hat|any|one)\s(?:\w+\s){0,2}?(?:of|among|between)\s)(?:the\s)?"
    r"[A-Z][\w&'’.-]*(?:\s[A-Z][\w&'’.-]*)*(?:,\s(?:and\s|or\s)?[A-Z][\w&'’.-]*(?:\s[A-Z][\w&'’.-]*)*)*\s(?:and|or)\s[A-Z][\w&'’.-]*(?:\s[A-Z][\w&'’.-]*)*",
)
ADDITION = re.compile(
    r"^\W*(?:also|additionally|in\saddition|another|an?\s(?:additional|further|\w+th|third)|further(?:more)?|moreover|finally|lastly|plus|besides|other)\b(?![^.]*\b(?:filing|10-K|context)\sdoes\snot)"
    rf"|\b(?:also|further)\s(?:{NAMING}|mention|contribut|help|benefit|add|acquir|complet|guarant|count|sell|market|suppl|compet)\w*"
    rf"|\b(?:{NAMING}|mention|contribut|help|add|acquir)\w*\b[^.]{{0,60}}\b(?:too|as\swell)\W*$"
    r"|\b(?:an)?other\s\w+\s(?:is|was|were|are)\b",
    re.I,
)
# "Ubisoft Entertainment S.A." for Ubisoft
FULL_NAME = re.compile(rf"(?:\s[A-Z][\w&-]+){{1,3}}?,?\s(?:{LEGAL}|PLC|S\.?A|N\.?V|AG|SE|GmbH)\b")
# "Mr." and "Corp." without what would end a sentence; "First," and "(b)" before an item.
ABBREVIATED = re.compile(r"\b(?:(?:Mr|Mrs|Ms|Dr|Messrs)\.\s|(Inc|Corp|Co|Ltd|L\.P|St|No)\.(?=[\s,;]))|\s&\sCo\b\.?")
COUNTERS = re.compile(
    r"(?:(?<=^)|(?<=[;.,:]\s)|(?<=\band\s))(?:(?:first|second|third|fourth|fifth|final|last)(?:ly)?,\s|\(?(?:\d|[a-h]|i{1,3}|iv|v)\)\s)",
    re.I | re.M,
)
ACRONYM = re.compile(r"\s\(([A-Z][A-Z&]{1,5}s?)\)")
ALIAS = re.compile(r"(?<![\w-])([\w-]+)\s\(([^(),;]+)\)")
BEFORE_NAME = re.compile(
    r"(?:Mr|Mrs|Ms|Dr|Messrs|Counsel|Officer|President|Chair\w*|Director|Secretary|Treasurer|States|Kingdom|Union)$"
)


@dataclass(frozen=True)
class Alignment:
    found: frozenset[int]
    further: tuple[str, ...]
    denied: frozenset[int]


def align(wanted: Sequence[str], answer: str, question: str | None = None) -> Alignment:
    """The gold items that an answer states, by place, and the further items that it states beside them."""
    asked = {key_of(word) for word in re.findall(r"[^\W_]+", without_options(question or ""))}
    golds = [gold_of(place, text, asked) for place, text in enumerate(wanted)]
    answer = same_compounds(places_in_brackets(answer, wanted), wanted)
    found: set[int] = set()
    further: list[str] = []
    parts = list(units(answer))
    read = [(part, reading(part.text, golds, asked, question or "", part.is_item)) for part in parts]
    whole = [each for _, each in read if len(each[0]) == len(golds)]
    groups = {part.group for part, (said, _, _) in read if said and part.is_item}
    in_group = {group: set().union(*(said for part, (said, _, _) in read if part.group == group)) for group in groups}
    best = max(in_group, key=lambda group: len(in_group[group]), default=None)
    if best is not None and len(in_group[best]) > max((len(s) for p, (s, _, _) in read if not p.is_item), default=0):
        hosts = {id(part) for part, (said, _, _) in read if part.group == best}
    elif whole:
        first = next(part for part, (said, _, _) in read if len(said) == len(golds))
        hosts = {id(first)}
    else:
        hosts = {id(part) for part, (said, _, _) in read if said and not part.is_item} | {
            id(part) for part, _ in read if part.group in groups
        }
    indents = {part.indent for part, (said, _, _) in read if said and part.is_item and id(part) in hosts}
    seen: set[int] = set()
    denied: set[int] = set()
    for part, (said, extra, no) in read:
        denied |= no
        found |= said
        if id(part) in hosts:
            if said - seen:
                further += extra
            elif part.is_item and not said and not no and part.indent in indents and is_item(part.text):
                further.append(part.text)
            seen |= said
        elif not part.is_item and not said and ADDITION.search(part.text):
            further.append(part.text)
    return Alignment(frozenset(found - denied), tuple(further), frozenset(denied))


def without_options(question: str) -> str:
    """A question without the names that it gives to choose from: "Which of A, B and C grew?"."""
    return OPTIONS.sub(lambda match: match["which"], question)


def places_in_brackets(answer: str, wanted: Sequence[str]) -> str:
    """Of places those that say where in brackets, unless they are what is wanted: "Gary, Indiana and Reno, Nevada" is
    two places, and so is "Lyon, France; Bonn, Germany"."""
    items = {item.lower() for item in wanted}
    if not items & STATES.keys():
        answer = STATE_OF_TOWN.sub(r" (\1)", answer)
    done = []
    for line in answer.splitlines():
        parts = re.split(r";\s+", line)
        pairs = [part.rstrip(" .").split(", ") for part in parts]
        if len(parts) > 1 and all(len(pair) == 2 and pair[1].lower() not in items for pair in pairs):
            line = "; ".join(PAIR.sub(r"\1 (\2)\3", part) for part in parts)
        done.append(line)
    return "\n".join(done)


def same_compounds(answer: str, wanted: Sequence[str]) -> str:
    """An answer with the compounds of the items written as they are: "work force", "workforce"."""
    plain = answer.lower()
    squeezed = re.sub(r"[\s-]", "", plain)
    for item in wanted:
        words = LETTERS.findall(item)
        for one, two in itertools.pairwise(words):
            if f"{one}{two}".lower() in plain:
                answer = re.sub(rf"\b{one}{two}\b", f"{one} {two}", answer, flags=re.I)
        for word in words:
            if len(word) > 6 and squeezed.count(word.lower()) > plain.count(word.lower()):
                pieces = "|".join(rf"{word[:cut]}[\s-]{word[cut:]}" for cut in range(3, len(word) - 2))
                answer = re.sub(rf"\b(?:{pieces})\b", word, answer, flags=re.I)
    return answer


def is_item(text: str) -> bool:
    return not re.match(r"\W*(?:total|note|source|overall|combined|together)\b", text, re.I) and bool(WORD.search(text))


@dataclass(frozen=True)
class Unit:
    text: str
    is_item: bool  # a bullet or a row
    indent: int
    group: int | None


def units(answer: str) -> list[Unit]:
    """Bullets, rows and sentences of an answer."""
    listed = unwrapped_items(answer)
    if listed is not None:
        return [Unit(text, True, 0, 0) for text in listed]
    text = re.sub(r"[\"“”`®™]|\*\*|__|(?<!\w)\*(?=\w)|(?<=\w)\*(?!\w)", "", without_citations(answer))
    text = COUNTERS.sub("", ABBREVIATED.sub(r"\1", text))
    lines = [line for line in text.splitlines() if line.strip()]
    plain = [line for line in lines if not line.strip().endswith((".", ":", "?"))]
    bare = (
        len(lines) > 1 and len(plain) >= len(lines) - 1 and not any(BULLET.match(line) or "|" in line for line in lines)
    )
    rows = [line for line in lines if line.strip().startswith("|")]
    header = rows[0] if len(rows) > 2 else None
    found: list[Unit] = []
    group = 0
    for line in lines:
        body = line.strip()
        if body.startswith("|"):
            if body != (header or "").strip() and not RULE.fullmatch(body):
                found.append(Unit(" ; ".join(cell.strip() for cell in body.strip("| ").split("|")), True, 0, group))
        elif mark := BULLET.match(line):
            indent = len(line) - len(line.lstrip())
            found.append(Unit(line[mark.end() :].strip(), True, indent, group))
        elif bare and line in plain:
            found.append(Unit(body, True, 0, group))
        elif not body.startswith("#"):
            group += 1
            found += [Unit(sentence, False, 0, None) for sentence in sentences(line)]
    return found


def reading(
    text: str, golds: Sequence[Gold], asked: set[str], question: str, is_row: bool
) -> tuple[set[int], list[str], set[int]]:
    """Of a sentence or bullet: gold items said, further items, gold items denied."""
    text = opened(text, golds)
    mentions = mentions_in(text, golds, asked)
    bare = text
    for mention in mentions:
        bare = bare[: mention.start] + " " * (mention.end - mention.start) + bare[mention.end :]
    denied = {each.place for each in mentions if is_denied(text, bare, each, golds[each.place], question)}
    said = {mention.place for mention in mentions} - denied
    return said, (further_items(text, mentions, golds, asked, question, is_row) if mentions else []), denied


def opened(text: str, golds: Sequence[Gold]) -> str:
    """Brackets blanked, but for those that gold items stand in alone; an acronym instead of the words it is for."""
    wanted = {gold.text for gold in golds}
    for match in reversed(list(ACRONYM.finditer(text))):
        if match[1] in wanted or match[1].removesuffix("s") in wanted:
            start = start_of_long_form(text, match)
            text = f"{text[:start]}{match[1]}{text[match.end() :]}" if start is not None else text
    text = ALIAS.sub(
        lambda match: match[2] if is_whole(match[2], golds) and not is_whole(match[1], golds) else match[0], text
    )
    outside = PAREN.sub(lambda match: " " * len(match[0]), text)
    if outside == text:
        return text
    spans = mentions_in(text, golds, set())
    if len({m.place for m in mentions_in(outside, golds, set())}) >= len({m.place for m in spans}):
        return outside

    def content(match: re.Match) -> str:
        if any(mention.start < match.start() < mention.end for mention in spans):
            return f" {match[1]} "  # "Bing (Microsoft)" for Microsoft's Bing
        return f": {match[1]};" if mentions_in(match[1], golds, set()) else " " * len(match[0])

    return PAREN.sub(content, text)


def is_whole(text: str, golds: Sequence[Gold]) -> bool:
    """Whether a text is a gold item and nothing else."""
    return any(normalised(text) == normalised(gold.text) for gold in golds)


def start_of_long_form(text: str, acronym: re.Match) -> int | None:
    """Where the words begin that an acronym in brackets abbreviates."""
    letters = acronym[1].removesuffix("s").replace("&", "").lower()
    words = list(LETTERS.finditer(text, max(0, acronym.start() - REACH), acronym.start()))
    for count in range(2, min(len(words), 9) + 1):
        initials = iter(word[0][0].lower() for word in words[-count:])
        if (
            not small(words[-count][0])
            and words[-count][0][0].lower() == letters[0]
            and all(letter in initials for letter in letters)
        ):
            return words[-count].start()
    return None


def mentions_in(text: str, golds: Sequence[Gold], asked: set[str]) -> list[Mention]:
    """Where gold items stand, the longest first; no word is of two, but for a noun said once for several."""
    words = words_of(text)
    taken: dict[int, int] = {}
    found = []
    others = {gold.place: {key for other in golds if other.place != gold.place for key in other.keys} for gold in golds}
    for gold in sorted(golds, key=lambda gold: -len(gold.keys)):
        for window in windows(text, words, gold, others[gold.place]):
            used = [place for place in window if words[place].key in gold.keys and not small(words[place].text)]
            mine = words[window[0]].start, words[window[-1]].end
            clash = [place for place in used if place in taken]
            shares = bool(SEPARATOR.search(text[mine[0] : mine[1]])) or bool(clash and len(gold.keys) > 1)
            if clash and (not shares or len(clash) == len(used)):
                continue
            if not fits(text, words, window, gold, asked, others[gold.place]):
                continue
            for place in used:
                taken.setdefault(place, gold.place)
            found.append(Mention(gold.place, *mine))
    for word in words:
        if short := next((gold for gold in golds if len(gold.keys) > 1 and abbreviates(word.text, gold.text)), None):
            found.append(Mention(short.place, word.start, word.end))
    return sorted(found, key=lambda mention: mention.start)


def words_to_spare(gold: Gold) -> int:
    """How many of its words may be missing: one of five, or one beside two figures: "6% notes due 2021"."""
    figures = sum(key[:1].isdigit() for key in set(gold.keys))
    is_long = len(gold.keys) >= 5 or (figures > 1 and len(gold.keys) > figures)
    return int(is_long and not gold.is_name)


def windows(text: str, words: list[Word], gold: Gold, others: set[str]) -> list[list[int]]:
    """Places of consecutive words that hold all of an item's, few others between."""
    need = Counter(gold.keys)
    wanted = sum(need.values())
    spare = words_to_spare(gold)
    fixed = {word.key for word in words_of(gold.text) if word.text[:1].isupper() or word.text[:1].isdigit()}
    slack = 0 if gold.is_name or wanted < 2 else 2 if wanted < 5 else 3
    found: list[tuple[bool, list[int]]] = []
    start = 0
    while start < len(words):
        if words[start].key not in need or small(words[start].text):
            start += 1
            continue
        left, alien, window, end = Counter(need), 0, [], None
        for place in range(start, min(len(words), start + 4 * wanted + 12)):
            word = words[place]
            between = text[words[place - 1].end : word.start] if place > start else ""
            if re.search(r"[;!?\n—]|[.:](?=\s)", between) and not (between == ". " and len(words[place - 1].text) == 1):
                break
            window.append(place)
            is_needed = left[word.key] > 0 and not small(word.text)
            if is_needed:
                left[word.key] -= 1
            elif not (
                small(word.text) or word.key in gold.optional or word.key in gold.keys or word.text.lower() in UP | DOWN
            ):
                if word.key in others and SEPARATOR.search(text[words[start].start : word.start] + " "):
                    pass
                else:
                    alien += 1
            if alien > slack:
                break
            missing = +left
            if is_needed and sum(missing.values()) <= spare and (not missing or not set(missing) & fixed):
                end = len(window)
                if not missing:
                    break
        if end:
            window = window[:end]
            while (after := window[-1] + 1) < len(words) and words[after].key in gold.optional:
                gap = text[words[after - 1].end : words[after].start]
                if gap != " " and not (gap == ", " and gold.is_name and words[after].text[:1].isupper()):
                    break
                window.append(after)
            joints = len(SEPARATOR.findall(text[words[window[0]].start : words[window[-1]].end]))
            aliens = [
                words[p]
                for p in window
                if words[p].key not in gold.keys and not small(words[p].text) and words[p].text.lower() not in UP | DOWN
            ]
            if joints > gold.joints and not all(word.key in others or word.key in gold.optional for word in aliens):
                start += 1
                continue
            shared = joints > gold.joints
            found.append((shared, window))
            start = start + 1 if shared else window[-1] + 1
        else:
            start += 1
    whole = [window for shared, window in found if not shared]
    return whole or [window for _, window in found]


def fits(text: str, words: list[Word], window: list[int], gold: Gold, asked: set[str], others: set[str]) -> bool:
    """Whether the words around leave an item what it is: no other name, no other noun, no opposite direction."""
    first, last = words[window[0]], words[window[-1]]
    after = words[window[-1] + 1] if window[-1] + 1 < len(words) else None
    before = words[window[0] - 1] if window[0] else None
    near_after = after and after.text != "United" and text[last.end : after.start] == " "
    near_before = before and text[before.end : first.start] in (" ", "-")
    used = {words[place].key for place in window}
    lacks = bool(gold.optional - used)
    if gold.is_name and gold.optional and not first.text[:1].isupper():
        return False
    if near_after:
        lower = after.text.lower()
        if after.text[:1].isupper() and last.text[:1].isupper():
            if (
                not (first.text.isupper() or last.text.isupper())
                and lower not in FORMS | HEADS | FUNCTION
                and after.key not in asked
                and not after.text[1:].isupper()
                and not FULL_NAME.match(text, last.end)
            ):
                return False
        elif (
            not gold.is_name
            and lacks
            and after.text[:1].islower()
            and not (
                lower in HEADS | FUNCTION | SMALL | UP | DOWN
                or re.search(r"(?:ed|ing|ly)$|^(?:paid|held|sold|made|built|incurred)$", lower)
                or VERB.fullmatch(lower)
                or after.key in others
                or after.key in gold.keys
                or after.key in asked
            )
        ):
            return False
    if near_before:
        lower = before.text.lower()
        if lower in ("non", "anti", "former", "prior", "previous", "ex", "pre") and before.key not in gold.keys:
            return False
        if lower in ("fewer", "less") and first.text.lower() == "new":
            return False
        if (
            before.text[:1].isupper() and first.text[:1].isupper() and gold.is_name
            and text[before.end : first.start] == " " and before.start > 0
            and before.key not in asked and lower not in SMALL | FUNCTION and not lower.endswith(("'s", "’s"))
            and not BEFORE_NAME.match(before.text)
            and before.key not in others and not before.text.isupper()
        ):  # fmt: skip
            return False
    if gold.sign and signs_around(text, words, window, bool(near_after)) == {-gold.sign}:
        return False
    around = text[words[max(0, window[0] - 5)].start : words[min(len(words) - 1, window[-1] + 2)].end]
    return not turned_round(gold.text, around)


def signs_around(text: str, words: Sequence[Word], window: list[int], near_after: bool) -> set[int]:
    """Directions of an item: said in it, else by the nearest word before that says one, else by the two after it."""
    first, last = words[window[0]], words[window[-1]]
    left = max((m.end() for m in SEPARATOR.finditer(text, max(0, first.start - REACH), first.start)), default=0)
    lead = [word.text for word in words[max(0, window[0] - 5) : window[0]] if word.start >= left]
    end = next((m.start() for m in SEPARATOR.finditer(text, last.end, last.end + REACH)), len(text))
    tail = [] if not near_after else [word for word in words[window[-1] + 1 : window[-1] + 3] if word.end <= end]
    tail = ["lower" if word.text.lower() in CUT else word.text for word in tail]
    inside = [words[place].text for place in window]
    nearest = [word for word in lead if sign_of([word])][-1:]
    return sign_of(inside) or sign_of(nearest) or sign_of(tail)
