"""Unordered list answers: items are paired one to one by what they say, and the Jaccard similarity of the sets decides.

Source: the seed's rule for lists, "unordered set match with Jaccard similarity >= 0.8". How a text is read into items
is in finrag.text.items.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from finrag.scoring.alignment import OPTIONS, Alignment, align
from finrag.scoring.denied_items import opposes
from finrag.scoring.gold_words import LETTERS_OF_KEY, SAME, THREATS, VAGUE, abbreviates, applies
from finrag.scoring.list_amounts import figures_differ, in_amounts_of, without_total
from finrag.scoring.numbers import states
from finrag.scoring.short_names import with_full_names
from finrag.scoring.turned import LESS, MORE, rises_and_falls, turned_round
from finrag.text.amounts import CURRENCY_NAMES, MONTH, parse_amounts, parse_years
from finrag.text.directions import HIGHER, LOWER
from finrag.text.items import as_items, distinct, mention_of, split_items, without_citations
from finrag.text.opposites import say_opposites
from finrag.text.places import STATES
from finrag.text.plain_text import without_long_runs
from finrag.text.stems import in_one_word, stem
from finrag.text.vocabulary import LEGAL, members
from finrag.text.words import FALL, NEGATION, RISE, SMALL_WORDS, STOP_WORDS, before, normalised
from finrag.text.years import YEAR_DIGITS

JACCARD_THRESHOLD = 0.8  # the seed's: of five items one may be missing, of four none
# rapidfuzz token_sort_ratio of what is left without filler, from which two wordings are the same. Of the 43 pairs of
# tests/fixtures/list_pair_cases.csv those that are the same have 82 and more ("lower supplier prices"); those that
# differ contradict each other or have another word among few, whatever their letters share ("sales value": 87).
ITEM_SIMILARITY = 82.0
FEW_WORDS = 3  # of content, in which one other word is another thing

# Words that a driver, a risk or a name may have or not: "The increase was driven by higher volume" is "higher volume".
FILLER = (
    SMALL_WORDS
    # "limited supply" is another thing than supply
    | members(LEGAL.lower()) - {"incorporated", "limited"}
    | frozenset(
        """
    been that this these it s
    increase increased increases decrease decreased decreases change changes rose fell
    driven reflected reflecting reflects resulted resulting due attributable primarily mainly largely partly because
    came result results group holdings asa ag sa nv gmbh se ab spa mr mrs ms dr such certain
    """.split()
    )
)
SAID_OR_NOT = SMALL_WORDS | {"recognized", "related"}
INITIALS = re.compile(r"\s\([\"“']?([A-Z][A-Z&]{1,5})[\"”']?\)")
NAMED = re.compile(r"(?<=[a-z,]\s)[A-Z]\w+")  # a name within an item
CLAUSE = re.compile(r"[^,;:()\n]+")
WORD = re.compile(r"[\w'’&%$.]*\w")
OF_YEAR = re.compile(rf"(?<=\w),?\s(?:(?:of|in|for|during)\s)?(?:fiscal\s(?:year\s)?)?{YEAR_DIGITS}$", re.I)
# What explains an item and is none of it: "component shortages, which could raise costs".
EXPLANATION = re.compile(
    r",?\s(?:which|as|because|due to|driven by|reflecting|resulting|including|particularly|especially|primarily|for"
    r"|(?:designed|intended|aimed|used) (?:to|at)|comprised of|consisting of)\s",
    re.I,
)
UNCHANGED = re.compile(r"\b(?:unchanged|flat|stable|steady)\b", re.I)
LOSS, PROFIT = re.compile(r"\bloss(?:es)?\b", re.I), re.compile(r"\b(?:profits?|gains?)\b", re.I)
# "Volt Living Tables (VLX)" is no VLT.
NO_OTHER_INITIALS = r"\b(?!\s\([A-Z&]{2,}\))"
CAPITALISED = r"[A-Z][\w’'-]+"
YEARS_FROM_TO = re.compile(
    rf"\b(?:from\s|between\s)?(?P<first>{YEAR_DIGITS})(?:\s?[-–—]\s?|\s(?:through|to)\s)(?:fiscal\s)?(?P<last>{YEAR_DIGITS})\b(?!-)",
    re.I,
)
ORDINAL = "(?:first|second|third|fourth)"
AND_THEN = r"(?:,\s|,?\s(?:and|or)\s)(?:in\s)?(?:the\s)?"
CAUSED_BY = re.compile(r"\b(?:due to|driven by|attributable to|because of|resulting from|as a result of)\s", re.I)
MONTHS_OF_YEAR = re.compile(
    rf"\b(?P<all>{MONTH}(?:{AND_THEN}{MONTH})+),?\s(?:of\s)?(?:fiscal\s(?:year\s)?)?(?P<year>{YEAR_DIGITS})\b", re.I
)
DAY = rf"{MONTH}\s\d{{1,2}}"
DAYS_OF_YEAR = re.compile(rf"\b(?P<all>{DAY}(?:{AND_THEN}{DAY})+),?\s(?:of\s)?(?P<year>{YEAR_DIGITS})\b", re.I)
QUARTERS_OF_YEAR = re.compile(
    rf"\b(?P<all>{ORDINAL}(?:{AND_THEN}{ORDINAL})+)\squarters?,?\s(?:of\s)?(?:fiscal\s(?:year\s)?)?(?P<year>{YEAR_DIGITS})\b",
    re.I,
)
# A currency by its code, where no amount is beside it, or by another name.
CURRENCY = re.compile(
    rf"(?<![\d/$]\s)(?<![\d/$])\b({'|'.join(CURRENCY_NAMES)})\b(?!\s?[\d/(])"
    r"|(?i:\b(?:Chinese\s)?(?:renminbi|yuan)\b(?:\s\(RMB\))?)|(?i:\b(?:British\s)?pounds?\ssterling\b)"
)
ORDINALS = {1: "first", 2: "second", 3: "third", 4: "fourth"}
# Whether something rose or fell is compared apart (contradict), so it may be said in other words.
DIRECTIONS = members(HIGHER, LOWER, "fall")
# Words that make another thing of the item that follows.
DISTINGUISHING = DIRECTIONS | frozenset(
    "other others non anti former prior previous net gross and or of in for to than like foreign domestic".split()
)


@dataclass(frozen=True)
class ListMatch:
    """is_match is None where the gold has no items. pairs holds (gold item, answer item, similarity of 0 to 100)."""

    is_match: bool | None
    jaccard: float | None
    matched_count: int
    pairs: tuple[tuple[str, str, float], ...]
    reason: str


def list_match(gold: Sequence[str] | str, answer: Sequence[str] | str | None, question: str | None = None) -> ListMatch:
    """Jaccard of gold and answer items: matched / (gold + answer - matched), order and repetitions ignored.

    Texts are read into items first. Names, amounts and years have to be the same; wordings have to be similar by
    ITEM_SIMILARITY and free of contradictions: other figures, a negation, an opposite, or increase for decrease. Of all
    pairings the one with the most matches counts. A noun of the question may follow an item: "consumer loans" for
    "consumer" among loan categories. An answer in words is also read by alignment.py: the reading with more matches
    counts, but none where that finds an item denied. Reasons: matched, below_threshold, no_answer, no_gold.
    """
    wanted = distinct([full_name(item) for item in as_items(gold)])
    if not isinstance(answer, str):
        items = [in_amounts_of(wanted, without_long_runs(item), question) for item in answer or ()]
        items = [with_full_names(item, wanted, question) for item in items]
        return cut_match(wanted, [full_name(item) for item in items], question)
    answer = with_full_names(in_amounts_of(wanted, without_long_runs(answer), question), wanted, question)
    if all(re.fullmatch(YEAR_DIGITS, item) for item in wanted):
        answer = without_other_clauses(answer, question or "")
        answer = YEARS_FROM_TO.sub(lambda match: each_year(match, wanted), answer)
    answer = one_name(with_initials(full_name(answer), wanted), wanted, question)
    by_words = None
    if wanted and applies(wanted):
        aligned = align(wanted, states_in_full(answer, wanted), question)
        by_words = of_alignment(wanted, aligned)
        if aligned.denied or OPTIONS.search(question or "") or by_words.jaccard == 1.0:
            return by_words
    match = cut_match(wanted, answer, question)
    return max(match, by_words or match, key=lambda each: each.jaccard or 0.0)


def without_other_clauses(answer: str, question: str) -> str:
    """An answer without the clauses that tell the opposite of other years: "in 2014 it rose slightly"."""
    clauses = re.split(r"(;\s|,?\s(?:while|but|whereas|although|though)\s|,\sand\s(?=an?\s))", answer)
    kept = [clause for place, clause in enumerate(clauses) if not (place and says_other(clause, question))]
    return "".join(kept)


def says_other(clause: str, question: str) -> bool:
    is_profit = bool(LOSS.search(question)) and bool(PROFIT.search(clause)) and not LOSS.search(clause)
    is_other = is_profit or UNCHANGED.search(clause) or opposes(clause, question) or NEGATION.search(clause)
    return bool(re.search(rf"\b{YEAR_DIGITS}\b", clause)) and bool(is_other)


def each_year(match: re.Match, wanted: Sequence[str]) -> str:
    """The years of "2013 through 2016", if all of them are wanted."""
    years = [str(year) for year in range(int(match["first"]), int(match["last"]) + 1)]
    return ", ".join(years) if years and set(years) <= set(wanted) else match[0]


def of_alignment(wanted: Sequence[str], aligned: Alignment) -> ListMatch:
    found, given = len(aligned.found), len(aligned.found) + len(aligned.further)
    jaccard = found / (len(wanted) + len(aligned.further))
    pairs = tuple((wanted[place], wanted[place], 100.0) for place in sorted(aligned.found))
    reason = "matched" if jaccard >= JACCARD_THRESHOLD else "below_threshold" if given else "no_answer"
    return ListMatch(jaccard >= JACCARD_THRESHOLD, jaccard, found, pairs, reason)


def cut_match(wanted: Sequence[str], answer: Sequence[str] | str, question: str | None) -> ListMatch:
    """The reading that cuts the answer into items (finrag.text.items) and compares these with the wanted ones."""
    answer = reworded(answer, wanted) if isinstance(answer, str) else answer
    answer = without_asked(answer, wanted, question)
    match = matched(wanted, answer)
    if not match.is_match and isinstance(answer, str) and not common_head(wanted):
        head = common_head(distinct(as_items(answer, wanted)))  # "Canada Operations and United States Operations"
        bare = without_head(answer, head) if head else answer
        match = max(match, matched(wanted, bare), key=lambda each: each.jaccard or 0.0)
    if not match.is_match and (head := common_head(wanted)):
        bare = distinct(without_head(wanted, head))
        if len(bare) == len(wanted) and all(undirected(essence(item)) for item in bare):  # "More" names nothing
            return max(match, matched(bare, without_head(answer, head)), key=lambda each: each.jaccard or 0.0)
    return match


def one_name(answer: str, wanted: Sequence[str], question: str | None) -> str:
    """An answer that calls a wanted item by the wanted name, where it or the question explains a name's initials:
    "Amazon Web Services (AWS)".
    """
    for initials, long, whole in explained_initials(f"{question or ''}\n{answer}"):
        if name := next((item for item in wanted if normalised(item) in (initials.lower(), normalised(long))), None):
            answer = re.sub(
                rf"{re.escape(whole)}|\b{re.escape(long)}\b|\b{initials}\b", lambda _, as_=name: as_, answer
            )
        elif any(re.search(rf"\b{initials}\b", item) for item in wanted):  # "Lower ASP"
            answer = re.sub(rf"{re.escape(whole)}|\b{re.escape(long)}\b", initials, answer)
    return answer


def explained_initials(text: str) -> list[tuple[str, str, str]]:
    """The initials, the name and both together, of each "Amazon Web Services (AWS)"."""
    found = []
    for match in INITIALS.finditer(text):
        words = list(re.finditer(r"\w[\w&'’.-]*", before(text, match.start())))
        for count in range(2, min(len(words), 8) + 1):
            long = before(text, match.start())[words[-count].start() : words[-1].end()]
            if abbreviates(match[1], long):
                found.append((match[1], long, f"{long}{match[0]}"))
                break
    return found


def reworded(answer: str, wanted: Sequence[str]) -> str:
    """An answer with the wanted wording of each phrase that has the same words in another order or inflection: "the
    Flipkart purchase price" for "purchase price for Flipkart". Names and single words stay as they are.
    """
    for item in wanted:
        words = sorted(stem(word) for word in essential(item))
        if len(words) < 2 or is_name(item) or mention_of(item).search(answer):
            continue
        answer = CLAUSE.sub(lambda clause, of=item, all_of=words: reordered(clause[0], of, all_of), answer)
    return answer


def reordered(clause: str, item: str, words: list[str]) -> str:
    said = [(word, stem(essential(word[0])[0])) for word in WORD.finditer(clause) if essential(word[0])]
    for first in range(len(said) - len(words) + 1):
        window = said[first : first + len(words)]
        said_there = clause[window[0][0].start() : window[-1][0].end()]
        if sorted(each for _, each in window) == words and not turned_round(item, said_there):
            return clause[: window[0][0].start()] + item + clause[window[-1][0].end() :]
    return clause


def essential(text: str) -> list[str]:
    """Its words but for articles and prepositions; one that filings use for another as the other."""
    return [SAME.get(word, word) for word in normalised(text).split() if word not in SAID_OR_NOT]


def common_head(items: Sequence[str]) -> str | None:
    """The noun that all items end in: of "second quarter" and "third quarter", which an answer says once."""
    last = {
        item.split()[-1].lower().removesuffix("s") for item in items if len(item.split()) > 1 and item[-1].isalpha()
    }
    is_common = len(items) > 1 and len(last) == 1 and all(len(item.split()) > 1 for item in items)
    return last.pop() if is_common and not any(re.search(r"\d", item) for item in items) else None


def without_asked(value: Sequence[str] | str, wanted: Sequence[str], question: str | None) -> Sequence[str] | str:
    """An answer without the question's own nouns where they follow an item."""
    nouns = {word.removesuffix("s") for word in re.findall(r"\b[a-z]{4,}\b", question or "")}
    if not nouns:
        return value
    # "end markets" and other pairs of words that the question has side by side
    words = re.findall(r"[\w'’-]+", question or "")
    pairs = {
        rf"{one}\s{two.removesuffix('s')}"
        for one, two in itertools.pairwise(words)
        if re.fullmatch("[a-z]{3,}", one) and one not in STOP_WORDS | FILLER and re.fullmatch("[a-z]{4,}", two)
    }
    nouns |= pairs
    for item in wanted:
        said = mention_of(item)
        if not any(said.search(text) for text in ([value] if isinstance(value, str) else value)):
            continue
        after = re.compile(
            # on its line: the next begins another item
            rf"({said.pattern})(?:[^\S\n](?:{'|'.join(sorted(nouns, key=len, reverse=True))})s?\b){{1,3}}",
            re.I,
        )
        value = after.sub(r"\1", value) if isinstance(value, str) else [after.sub(r"\1", one) for one in value]
    return value


def without_head(value: Sequence[str] | str, head: str) -> Sequence[str] | str:
    noun = re.compile(rf"\s+{re.escape(head)}s?\b", re.I)
    return noun.sub("", value) if isinstance(value, str) else [noun.sub("", item) for item in value]


def matched(wanted: Sequence[str], answer: Sequence[str] | str) -> ListMatch:
    from scipy.optimize import linear_sum_assignment

    wanted = distinct(wanted)
    if isinstance(answer, str):
        answer = states_in_full(answer, wanted)
    given = without_total(distinct(as_items(answer, wanted)))
    if not wanted:
        return ListMatch(None, None, 0, (), "no_gold")
    if not given:
        return ListMatch(False, 0.0, 0, (), "no_answer")
    scores = similarities(wanted, given)
    rows, columns = linear_sum_assignment(np.where(scores >= ITEM_SIMILARITY, 1000 + scores, 0), maximize=True)
    pairs = tuple(
        (wanted[row], given[column], float(scores[row, column]))
        for row, column in zip(rows, columns, strict=True)
        if scores[row, column] >= ITEM_SIMILARITY
    )
    jaccard = len(pairs) / (len(wanted) + len(given) - len(pairs))
    is_match = jaccard >= JACCARD_THRESHOLD
    reason = "matched" if is_match else "below_threshold"
    return ListMatch(is_match, jaccard, len(pairs), pairs, reason)


def states_in_full(text: str, wanted: Sequence[str]) -> str:
    """The postal codes of the wanted states of the United States as their names."""
    for name in wanted:
        if code := STATES.get(name.lower()):
            text = re.sub(rf"\b{code}\b", name, text)
    return text


def with_initials(text: str, wanted: Sequence[str]) -> str:
    """Names as the wanted items have them, by their initials or in full: "Federal Energy Regulatory Commission" is FERC
    and S&P is Standard & Poor's."""
    for item in wanted:
        if item in text:
            continue
        if re.fullmatch("[A-Z]{3,6}|[A-Z]&[A-Z]", item):
            between = r"\s(?:&|and)\s" if "&" in item else r"\s(?:(?:of|the|and|for|on|&)\s){0,3}"
            name = between.join(rf"{letter}[\w’'-]+" for letter in item.replace("&", ""))
            text = re.sub(rf"\b{name}{NO_OTHER_INITIALS}", item, text)
        elif re.fullmatch(rf"{CAPITALISED}(?:\s(?:(?:of|the|and|for|on|&)\s){{0,3}}{CAPITALISED})+", item):
            letters = [word[0] for word in re.findall(CAPITALISED, item)]
            initials = ("&" if len(letters) == 2 and "&" in item else "").join(letters)
            if len(initials) > 2:
                text = re.sub(rf"\b{re.escape(initials)}\b", item, text)
    return text


def full_name(text: str) -> str:
    """Countries, quarters and currencies in full, as filings write them both ways."""
    text = re.sub(r"\b(?:[A-Z]\.){2,}(?=\s[A-Z])(?<!U\.S\.)", lambda match: match[0].replace(".", ""), text)
    text = re.sub(r"\b(?:share|equity)-based\b", "stock-based", text, flags=re.I)
    text = CURRENCY.sub(currency_name, in_one_word(text))
    text = re.sub(
        r"\bQ([1-4])\b|\b([1-4])Q\b|\b(1st|2nd|3rd|4th)(?= quarter)",
        lambda m: ORDINALS[int((m[1] or m[2] or m[3])[0])] + ("" if m[3] else " quarter"),
        text,
    )
    text = in_full(in_full(text, MONTHS_OF_YEAR, MONTH, "{} {}"), QUARTERS_OF_YEAR, ORDINAL, "{} quarter {}")
    text = in_full(text, DAYS_OF_YEAR, DAY, "{}, {}")
    text = re.sub(rf"(?<=quarter),?\sof\s(?:fiscal\s(?:year\s)?)?(?={YEAR_DIGITS})", " ", text)
    return re.sub(r"\bU\.?K\b\.?", "United Kingdom", re.sub(r"\bU\.?S\.?(?:A\b\.?)?(?!\w|\$)", "United States", text))


def currency_name(found: re.Match) -> str:
    return CURRENCY_NAMES[found[1] or ("GBP" if "pound" in found[0].lower() else "CNY")]


def in_full(text: str, several: re.Pattern, one: str, form: str) -> str:
    """Each with the year that is said once: "April and September 2019"."""
    return several.sub(
        lambda match: re.sub(rf"\b{one}\b", lambda each: form.format(each[0], match["year"]), match["all"], flags=re.I),
        text,
    )


def similarities(gold: Sequence[str], answer: Sequence[str]) -> np.ndarray:
    """Similarity of items, 0 to 100, shape (gold, answer); see similarity."""
    return np.array([[similarity(one, other) for other in answer] for one in gold]).reshape(len(gold), len(answer))


def similarity(gold: str, answer: str) -> float:
    """100 for the same content, 0 for a contradiction; of an answer's item its head ("Credit risk: …") may be meant."""
    if is_same(gold, answer):
        return 100.0
    wordings = variants(answer)
    if any(only_describes(gold, variant) for variant in wordings):
        return 100.0
    return max(wording_similarity(gold, variant) for variant in wordings)


def only_describes(gold: str, answer: str) -> bool:
    """Whether an answer's item is the gold's of several words after one or two that describe it: "strong governance
    mechanisms"; not "other", a negation or a direction, nor a further name.
    """
    words, wanted = normalised(answer).split(), normalised(gold).split()
    lead = words[: -len(wanted)]
    return (
        len(wanted) > 1
        and words[-len(wanted) :] == wanted
        and len(normalised(" ".join(lead)).split()) in (1, 2, 3)  # cross-functional is two
        and not re.match(r"\W*[A-Z]", answer)
        and not any(re.search(r"\d", word) or word in DISTINGUISHING for word in lead)
        and not any(words.search(" ".join(lead)) for words in (NEGATION, RISE, FALL, MORE, LESS))
    )


def is_same(gold: str, answer: str) -> bool:
    """Equal words, equal amounts or years that are the whole item, or an abbreviation: R&D."""
    if one_word(gold) == one_word(answer):
        return not figures_differ(gold, answer)  # in their sign or currency
    if abbreviates(answer, gold) or abbreviates(gold, answer):
        return True
    if len(normalised(gold).split()) > 3:
        return False
    for read in (parse_amounts, parse_years):
        mine = read(gold)
        theirs = read(answer) if len(mine) == 1 else []
        if len(theirs) == 1 and states(mine[0], theirs[0]):
            return without_figure(gold, mine[0].text) in ("", without_figure(answer, theirs[0].text))
    return False


def one_word(text: str) -> str:
    """Its letters and digits, so that "work force" is "workforce"; a figure keeps its point."""
    return normalised(text) if re.search(r"\d", text) else normalised(text).replace(" ", "")


def without_figure(item: str, figure: str) -> str:
    """The words beside the one figure of an item: "Snacks" of "Snacks $310.4 million"."""
    return essence(item.replace(figure, " "))


def variants(item: str) -> list[str]:
    """An answer's item, without what it adds in brackets or its year, and its head before a colon or a dash."""
    bare = re.sub(r"\s*\([^)]*\)", "", item)
    heads = [re.split(r"\s*:\s+|\s+[-–—]\s+", bare)[0]]
    heads.append(EXPLANATION.split(bare)[0])
    undated = OF_YEAR.sub("", bare)
    initials = re.findall(r"\(([A-Z][A-Z&]+s?)\)", item)  # "original equipment manufacturers (OEMs)"
    return list(dict.fromkeys(text for text in (item, bare, undated, *heads, *initials) if normalised(text)))


def wording_similarity(gold: str, answer: str) -> float:
    from rapidfuzz import fuzz

    if contradict(gold, answer):
        return 0.0
    if normalised(gold) == normalised(answer):
        return 100.0
    mine, theirs = essence(gold), essence(answer)
    if is_name(gold):
        one, two = sorted(mine.split()), sorted(theirs.split())  # "Kestrel (Norda)" is Norda's Kestrel
        return 100.0 if len(one) == len(two) and all(map(is_one_name, one, two)) else 0.0
    (of, gold_tail), (other, answer_tail) = head_and_tail(gold), head_and_tail(answer)
    if gold_tail and answer_tail and essence(of) == essence(other):
        return float(fuzz.token_set_ratio(essence(gold_tail), essence(answer_tail)))  # an answer may say more of it
    if has_other_word(undirected(mine), undirected(theirs)):
        return 0.0
    pairs = [(mine, theirs), (undirected(mine), undirected(theirs))]
    return max(
        float(fuzz.token_sort_ratio(without_generic(one, two), without_generic(two, one)))
        for one, two in pairs
        if one and two
    )


def is_one_name(one: str, other: str) -> bool:
    """Equal, or a country and its adjective: "Brazil's" and "Brazilian"."""
    return one == other or (
        len(one) > 4 < len(other)
        and bool({one, other} & {f"{each}{end}" for each in (one, other) for end in ("n", "an", "ian", "ese")})
    )


def has_other_word(one: str, other: str) -> bool:
    """Whether of a few words one differs and is not spelt alike: "sales volume" and "sales value"."""
    from rapidfuzz import fuzz

    words = [{stem(word, LETTERS_OF_KEY) for word in text.split()} for text in (one, other)]
    left, right = words[0] - words[1], words[1] - words[0]
    return max(map(len, words)) <= FEW_WORDS and any(
        all(fuzz.ratio(word, each) < ITEM_SIMILARITY for each in right) for word in left if right
    )


def undirected(words: str) -> str:
    return " ".join(word for word in words.split() if word not in DIRECTIONS)


def without_generic(words: str, others: str) -> str:
    """Without the generic words that the others lack, if two words or more are left."""
    left = [word for word in words.split() if word not in VAGUE | THREATS or word in others.split()]
    is_threat = " ".join(left) == others and words.split()[-1] in THREATS
    return " ".join(left) if len(left) > 1 or is_threat else words


def head_and_tail(item: str) -> tuple[str, str]:
    """ "Violet Media, Inc.: higher volume" as the company and what is said of it."""
    head, _, tail = item.replace("**", "").partition(": ")
    return head, tail


def essence(item: str) -> str:
    """The words that make an item what it is; all of them where all are filler."""
    words = normalised(item.replace("’", "'").replace("s' ", "s ")).split()
    return " ".join(SAME.get(word, word) for word in words if word not in FILLER) or " ".join(words)


def is_name(item: str) -> bool:
    """Two to five words, all capitalised but the small ones: "Maria Chen", "Bank of America"."""
    words = [word for word in re.findall(r"[^\W\d_][\w'’.-]*", item) if word.lower() not in FILLER]
    return 2 <= len(words) <= 5 and all(word[0].isupper() for word in words) and not item.isupper()


def contradict(one: str, other: str) -> bool:
    """Different figures or names, a negation in one only, opposite words or directions."""
    if figures_differ(one, other):
        return True
    if bool(NEGATION.search(one)) != bool(NEGATION.search(other)):
        return True
    if say_opposites(essence(one), essence(other)):
        return True
    named = [{word.lower() for word in NAMED.findall(text)} for text in (one, other)]
    if all(named) and not named[0] & named[1]:
        return True
    if not CAUSED_BY.search(one):
        other = CAUSED_BY.split(other)[-1]  # "SG&A increased due to lower advertising"
    directions = [rises_and_falls(text) for text in (one, other)]
    is_opposite = directions in ([(True, False), (False, True)], [(False, True), (True, False)])
    return is_opposite or turned_round(one, other)


__all__ = ["ListMatch", "contradict", "list_match", "similarities", "split_items", "without_citations"]
