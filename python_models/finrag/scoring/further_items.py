"""What an answer enumerates beside the gold items that it states."""

from __future__ import annotations

import re
from collections.abc import Sequence

from finrag.scoring.denied_items import ALSO, BOUNDARY, DENIAL, is_asked, opposes
from finrag.scoring.gold_words import (
    END_OF_PHRASE,
    MONTH_YEAR,
    SEPARATOR,
    VERB,
    WORD,
    Gold,
    Mention,
    key_of,
    sign_of,
    small,
)
from finrag.text.items import FURTHER_PREDICATE, REMARK, TITLE
from finrag.text.vocabulary import (
    ARTICLES,
    BE,
    DEMONSTRATIVES,
    HAVE,
    PERSONS,
    POSSESSIVES,
    PREPOSITIONS,
)
from finrag.text.years import MONTHS

INTRODUCER = re.compile(
    rf"(?:\b(?:{BE}|{PREPOSITIONS}|includ\w+|namely|reflect\w*|cit\w+|nam\w+|list\w*|report\w*|operat\w+|with|against|as|being|"
    rf"identif\w+|mention\w*|highlight\w*|compris\w+|acquir\w+|issued?|than|{HAVE}|supply|via|under|into|through|cover\w*|between|both|like|lifted|us(?:e|es|ed))\b)"
    rf"(?!.*\b(?:{BE}|includ\w+|by|to|from|namely|reflect\w*|as|being)\b)",
    re.I,
)
ADVERBIAL = re.compile(
    r"^\W*(?:in|on|at|as|during|for|per|according|based|by|under|within|throughout|following|after|since|among|across|from|over|specifically|overall|yes|additionally)\b",
    re.I,
)
APPOSITION = re.compile(r"^\W*(?:an?|its|the\scompany's|formerly|our)\s", re.I)
NO_ITEM = re.compile(
    rf"^\W*(?:respectively|etc|others?|more|among\sothers|(?:up|down)\s|(?:{PREPOSITIONS}|with|under|during|through|over)\s|"
    r"totall?ing|accounting|representing|compris|consist|making|bringing|using|based|depending|given|especially|particularly|mainly|primarily|mostly|notably|including|such\sas|e\.g|i\.e|"
    rf"[$€£]?\d|(?:{'|'.join(MONTHS)})\b|both\b|each\b|all\b|none\b|net\sof\b|subject\sto\b|known\sas\b|called\b|referred\sto\b|"
    r"which|who|that|when|where|if|because|since|according|as\s|per\s|see\b|then|not\b|thus|so\b|too\b|formerly|namely|collectively|partially|partly|offset)",
    re.I,
)
TOWN = re.compile(r"(?:[^\x00]*\W)?[A-Z][^,\x00]*,\s\x00\W*")
TOGETHER = re.compile(r"^\W*(?:the\s)?\x00\s(?:and|&|plus)\s", re.I)
BEFORE_ITEM = re.compile(rf"\b(?:{ARTICLES}|{POSSESSIVES}|in|by|from|to|of|for|both|higher|lower)\b", re.I)
NAMED_TOO = re.compile(r"\W*[A-Z][\w&]*(?:\s[A-Z][\w&]*)*\s(?:too|also)\b")
PRONOUN = re.compile(rf"\W*(?:{PERSONS}|{DEMONSTRATIVES}|we)\b", re.I)


def further_items(
    text: str, mentions: Sequence[Mention], golds: Sequence[Gold], asked: set[str], question: str, is_row: bool
) -> list[str]:
    """What a sentence enumerates beside the gold items it holds."""
    names = all(gold.is_name for gold in golds)
    dated = all(MONTH_YEAR.fullmatch(gold.text) for gold in golds)
    marked, cursor = "", 0
    for mention in mentions:
        if mention.start >= cursor:
            marked += text[cursor : mention.start] + "\x00"
        cursor = max(cursor, mention.end)
    marked += text[cursor:]
    found = []
    cuts = list(BOUNDARY.finditer(marked))
    edges = [0, *(edge for cut in cuts for edge in cut.span()), len(marked)]
    clauses = [
        (marked[edges[i] : edges[i + 1]], marked[edges[i - 1] : edges[i]] if i else "") for i in range(0, len(edges), 2)
    ]
    held = [place for place, (clause, _) in enumerate(clauses) if "\x00" in clause]
    if len(held) > 1 and all(TOWN.fullmatch(clauses[place][0]) for place in held):
        return []  # "Leixlip, Ireland; Kiryat Gat, Israel"
    most = max(clause.count("\x00") for clause, _ in clauses)
    for place, (clause, cue) in enumerate(clauses):
        if "\x00" in clause:
            if most >= len(golds) > clause.count("\x00"):
                continue  # what leads to the list or comes back to it
            if not is_row or marked.count("\x00") > 1 or TOGETHER.search(clause):
                found += in_clause(clause, names, asked, dated)
        elif (
            not is_row
            and ";" in cue
            and place > held[0]
            and (len(held) > 1 or len(clause.split()) < 5)
            and not (opposes(clause, question) or DENIAL.search(clause))
            and (ALSO.search(clause) or not (verb := VERB.search(clause)) or is_asked(clause[verb.end() :], question))
            and looks_like(clause, names, asked, dated)
        ):
            found.append(clause)
    return found


def in_clause(clause: str, names: bool, asked: set[str], dated: bool) -> list[str]:
    """Of the chunks of a clause those that belong to its enumeration and hold no gold item."""
    chunks, cursor = [], 0
    for cut in SEPARATOR.finditer(clause):
        chunks.append((clause[cursor : cut.start()], cut[0]))
        cursor = cut.end()
    chunks.append((clause[cursor:], ""))
    held = [place for place, (chunk, _) in enumerate(chunks) if "\x00" in chunk]
    found = before_first(chunks, held[0], names, asked, dated) if held[0] else []
    tail = ""
    for place in range(held[0], len(chunks)):
        chunk, cut = chunks[place][0], chunks[place - 1][1].lower() if place else ""
        if "\x00" in chunk:
            tail = chunk.rpartition("\x00")[2]
            continue
        if place > held[-1] and (VERB.search(tail) or PRONOUN.match(chunk)):
            break
        if place < held[-1] and "," not in cut and "," in chunks[place][1]:
            continue  # "failure to pay principal or interest, ..."
        if len(tail.split()) > 1 and "," not in cut and not sign_of(chunk.split()[:2]) and not is_parallel(tail, chunk):
            continue  # "policies and protocols" of what is said of an item
        is_coordinate = bool(re.search(r"[a-z&]", cut))
        head = END_OF_PHRASE.split(chunk)[0] if is_coordinate else chunk
        if looks_like(head, names, asked, dated, is_coordinate):
            if place > held[-1] and names and cut.strip() == "," and APPOSITION.match(chunk):
                break
            found.append(chunk)
        elif place > held[-1]:
            found += [later for later, _ in chunks[place:] if names and NAMED_TOO.match(later)]
            break
    return found


def before_first(chunks: list[tuple[str, str]], first: int, names: bool, asked: set[str], dated: bool) -> list[str]:
    """The further item in the chunk before the first gold item, if one is: what an introducing word leads to."""
    if re.search(r"[^\W\d_]", BEFORE_ITEM.sub("", chunks[first][0].partition("\x00")[0])):
        return []
    chunk = chunks[first - 1][0]
    matches = list(INTRODUCER.finditer(chunk))
    tail = chunk[matches[-1].end() :] if matches else chunk
    if first == 1 and (ADVERBIAL.match(chunk) or (not matches and len(chunk.split()) > 5)):
        return []
    if names and not matches and tail.split():
        tail = tail.split()[-1]  # "It sells Zed, ..."
    return [tail] if re.search(r"[^\W\d_]", tail) and looks_like(tail, names, asked, dated) else []


def is_parallel(tail: str, chunk: str) -> bool:
    """Whether a name is followed by the preposition that the item before it is: "A in Europe and B in Asia"."""
    preposition = re.match(r"\s(in|for|at|from|on)\s", tail)
    return bool(preposition and re.match(rf"[A-Z][\w.\s&]*?\s{preposition[1]}\s", chunk))


def looks_like(chunk: str, names: bool, asked: set[str], dated: bool, is_coordinate: bool = False) -> bool:
    """Whether a chunk is an item as the others are: a name among names, a noun phrase among noun phrases."""
    chunk = chunk.strip(" .")
    bare = re.sub(rf"^(?:{ARTICLES}|{POSSESSIVES}|also|both|then|in|for|by|from|to)\s+", "", chunk, flags=re.I)
    if not re.search(r"[^\W\d_]", bare) or REMARK.match(chunk) or TITLE.match(chunk) or FURTHER_PREDICATE.match(chunk):
        return False
    words = list(WORD.findall(bare))
    content = [word for word in words if not small(word)]
    if not content:
        return False
    if MONTH_YEAR.match(bare):
        return dated
    if (names and not is_coordinate) or (names and content[0][:1].isupper()):
        return (
            content[0][:1].isupper()
            and not re.match(
                rf"\W*(?:{'|'.join(MONTHS).title()}|Item|Note|FY|Inc|Ltd|LLC|Corp|respectively|Part|Section)\b",
                bare,
            )
            and not all(key_of(w) in asked for w in content)
        )
    if NO_ITEM.match(chunk) or len(words) > 12:
        return False
    return not VERB.search(bare.partition(" ")[2]) and not all(key_of(word) in asked for word in content)
