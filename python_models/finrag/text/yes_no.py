"""Yes and no: what a text says to a question that asks for one of them."""

from __future__ import annotations

import re
from functools import lru_cache

from finrag.text.abstention import LEAD_SENTENCES, THING, abstention
from finrag.text.amounts import parse_amounts
from finrag.text.directions import FALLS, FELL, HIGHER, LOWER, RISES, ROSE
from finrag.text.moves import (
    BEFORE_IT,
    CAUSE,
    DENIAL,
    FLAT,
    LEAST_RESTATED,
    LEAST_RESTATED_SHORT,
    OWNER,
    PRONOUN,
    SOURCE,
    UNDONE,
    directions_of,
    is_negative,
    is_of,
    is_of_a_year_before,
    lowercase,
    moved,
    says_by_denial,
    says_in_a_clause,
)
from finrag.text.opposites import negates
from finrag.text.outright import ADVERB, LABEL, QUOTES, said_at_last, said_outright
from finrag.text.plain_text import clean
from finrag.text.stems import PAST_OF, in_one_word, stem
from finrag.text.vocabulary import ARTICLES, AT, BE, CONTRASTS, DO, HAVE, TIMES, members
from finrag.text.words import NEGATION, content_words, sentences, unwrapped
from finrag.text.years import YEAR_DIGITS, find_years

HEADING = re.compile(r"^#+ .*$", re.M)
# What limits a sentence to one where more than one is asked for.
LIMITED = re.compile(r"\b(?:only|just|solely|exclusively|entirely|wholly|a single|a sole)\b", re.I)
SEVERAL = re.compile(r"\b(?:more than|multiple|several|many|other than|besides|outside|two or more)\b", re.I)
LOSS = re.compile(r"\bloss\w*", re.I)
# "Yes. However, it actually fell."
TAKEN_BACK = re.compile(
    r"^(?:however|but|yet)\b,?\s(?=.*\b(?:actually|in fact|in reality)\b)|^(?:actually|in fact|in reality),?\s", re.I
)
IN_FACT = re.compile(r"\b(?:actually|in fact|in reality),?\s", re.I)
# That nothing speaks for it denies it; that nothing is said about it does not.
NO_SIGN = re.compile(
    r"\b(?:no|not any|without) (?:\w+ )?(?:indication|evidence|suggestion|sign)s?\b(?= (?:that|of (?:such|any"
    r"|this|a|an|the)\b))|\bthere (?:is|was|are|were) no (?:explicit|direct)\b|\bno explicit\b",
    re.I,
)
BOTH = re.compile(r"\b(?:both|all|each|every)\b", re.I)
NO_SUCH = re.compile(
    r"\b(?:made|makes|paid|pays|issued|recorded|records|declared|reported|completed|identified|incurred|recognized)\sno\s((?:[a-z-]+\s?){1,3})",
    re.I,
)
DENIED_VERB = re.compile(
    rf"\b(?:(?:{DO}|{BE}|{HAVE})(?:\s+not|n['’]t)|will not be (?:considered|deemed))\s(?:\w+ly\s)?([a-z]+)", re.I
)
SUBJECT_AND_VERB = re.compile(
    r"(?:Does|Did|Do|Has|Have|Will)\s(?P<name>[A-Z][\w&'’.-]*(?:\s(?:[A-Z&][\w&'’.-]*|of|and))*)\s(?:\w+ly\s)?(?P<verb>[a-z]+)\b"
)
# "Was Ostrander Financial in compliance": a form of be, and of whom it is asked.
BE_AND_SUBJECT = re.compile(
    r"(?P<be>Is|Are|Was|Were)\s(?P<name>[A-Z][\w&'’.-]*(?:\s(?:[A-Z&][\w&'’.-]*|of|and))*)\s(?!the\b|an?\b)"
)
ASKS_DONE = re.compile(r"(?:Did|Has|Have|Had)\b")
PASSIVE = re.compile(
    rf"\b(?:was|were|has\sbeen|have\sbeen)\s(?:\w+ly\s)?(?P<verb>[a-z]+ed|{'|'.join(PAST_OF)})\b", re.I
)
# A change of what is asked for: "There was an increase of $5 million in 2024".
CHANGED = re.compile(
    rf"^there (?:{BE}|{HAVE} been) an? (?:(?:slight|small|modest|sharp|large|significant|substantial|net|[\d.]+\s?%) )?"
    rf"(?:{RISES}|{FALLS})(?:\sof\s[$€£]?\d[\d.,]*\s?(?:million|billion|%|percent)?)?"
    rf"(?:\s(?:in|during|for)\s(?:fiscal\s)?{YEAR_DIGITS})?(?=\W*$|[,;]|\s(?:from|compared|versus|vs|due|driven|because)\b)",
    re.I,
)
# "revenue increased", "the revenue of Nike rise", "a decrease in its revenue", "higher revenue than"; "Revenue was up",
# "Nike's net sales came in higher".
NOUN_ASKED = re.compile(
    rf"\b(?!(?:an?|the|its|{BE}|{DO}|{HAVE}|report|see|show|post)\b)(?P<before>[a-z]+)"
    rf"\s(?:of(?:\s[A-Z&][\w&'’.,-]*){{1,5}}\s|(?:{BE})\s)?(?!growth)(?:{RISES}|{FALLS})"
    rf"|\b(?:(?:{RISES}|{FALLS})\s(?:in|of)|(?:{HIGHER}|{LOWER}))\s(?:(?!(?:of|in|for|during|than)\b)[\w'’&.-]+\s){{0,5}}?"
    rf"(?P<after>[a-z]+)(?=\W*$|\s(?:of|in|for|during|from|than)\b)",
)
NOUN_MOVED = re.compile(
    rf"(?P<lead>(?:[\w'’&.-]+\s){{0,7}}?)(?P<noun>[a-z]+):?\s(?:\w+ly\s)?"
    rf"(?:{RISES}|{FALLS}|up\b|down\b|{ROSE}|{FELL}|(?:{BE}|went|came|ended|ticked|edged)\b)",
    re.I,
)
CALLED = tuple(
    frozenset(words.split())
    for words in (
        "revenue revenues sales",
        "income profit profits earnings",
        "activities flow flows",
        "expenditures spending capex",
    )
)
NEUTRAL = frozenset("total net overall company there was were has had been went came ended".split())
# A part of a company that is asked for, and a name of several words that a sentence begins with.
PART_ASKED = re.compile(r"(?:['’]s|\bits)\s(?:[A-Z][\w&]+\s)+(?=[a-z])")
PART_SAID = re.compile(r"(?:The\s)?((?:[A-Z][\w&]+\s){2,4})(?=[a-z])")
# Who says it is not what is said: "The filing states that none of its …".
REPORTED = re.compile(
    r"^(?:the\s(?:filing|company|10-K|report|document|excerpt|text|context)s?|it|they|management)\s(?:\w+ly\s)?"
    r"(?:says?|states?|notes?|discloses?|reports?|indicates?|confirms?|explains?|conclude[sd]?|determined|found|finds"
    r"|believes?)(?:\sthat\b,?\s|\s(?=(?:it|they)\b))",
    re.I,
)
ASSERTION = re.compile(
    r"\b(?:does|do|did)\s+(?:indeed\s+|so\b|explicitly\s+|directly\s+|in fact\s+)"
    r"|\bexplicitly\s+(?:attribut|stat|confirm|identif|disclos|link|ti)\w+"
    r"|\b(?:that|this|it|statement|claim)(?:\s(?:is|was)|['’]s) (?:correct|true|right|accurate)\b"
    rf"|^(?:\w+\s){{1,4}}(?:{DO}|{BE}|has|have)\b(?=\W*$|;|,\s(?:it|as|since|because))"
    r"|^(?:it|they|the company)\s(?:did|does|do)\s(?!not\b|so\b|nothing\b)[a-z]+"
    rf"|^(?:it|they|the company)\s(?:{DO}|{BE}|has|have)(?=,\s(?!however)|\s?[(;:–—]|\s-\s)"
    r"|\b(?:the|this)\s(?:filing|10-K|company)\s(?:does|did)\s(?!not\b)\w+",
    re.I,
)
PREDICATE = re.compile(r"^[a-z-]+(?:ed|able|ible|ful|ive|ent|ant|ous)\b(?!\s(?:is|was|are|were|has|have|had)\b)", re.I)
EMPHATIC = re.compile(
    r"^(?:[\w'’&-]+\s){1,7}(?:does|did|do)\s(?:\w+ly\s)?(?!not\b|so\b|nothing\b|little\b|no\b)[a-z]+", re.I
)
NONE = re.compile(
    r"^(?:there (?:is|was|are|were|has been|have been) )?(?:no|none\sof)\s"
    r"(?!longer|doubt|later|more|fewer|less|matter|sooner)",
    re.I,
)
NOTHING = re.compile(r"\W*(?:none|nothing|nil)\W*", re.I)
# "no dividends", "did not pay any": neither "no more than" nor "did not pay all".
DENIES_ANY = re.compile(
    r"\bno\s(?!longer|doubt|later|more|fewer|less|matter|sooner)|(?:\bnot|n['’]t)\s(?:\w+\s)?any\b", re.I
)
WHAT_IS_NONE = re.compile(
    rf"^.*?\bno\s(.*?)(?:\s(?:{BE}|{HAVE}|in|of|for|remains?|exists?)\b.*|[.,;].*)?$", re.I | re.S
)
NONE_DONE = re.compile(rf"^none (?:{BE}|{HAVE})(?: been)? (?:\w+ly )?(?P<verb>[a-z]+)", re.I)
ZERO = re.compile(rf"\b(?:{BE}) (?:zero|nil|\$0)(?![\w.,]*\d)", re.I)
# The limit that a question names: "above 10%", "fewer than one".
LIMIT = re.compile(
    r"\b(?:(?P<above>above|over|exceed(?:s|ed|ing)?|tops?|topped|in excess of|(?:more|greater|higher|larger) than)"
    r"|below|under|(?:less|fewer|lower|smaller) than)\s(?=[$€£]?\d|one\b)",
    re.I,
)
# "2021: 5,310; 2022: 5,042. So yes, headcount fell."
IN_A_LATER_ONE = re.compile(r"^(?:so|thus|therefore|hence)?,?\s*(yes|no)(?:,\s|\s?[:–—-]\s)", re.I)
# "Recurring losses raised doubt, so the auditor …": what follows is what it comes to.
CONCLUDED = re.compile(r",\s(?:so|and so|hence|thus|therefore)\s", re.I)
FOLLOWS = re.compile(r",?\sand\s(?:\w+\s)?(?:concluded|determined)\b.*$", re.I | re.S)
NO_THING = re.compile(rf"^(?:there (?:is|was|are|were) )?no (?:\w+ )?{THING}\b", re.I)
HAS_NONE = re.compile(r"^(?:[\w'’]+\s){1,4}(?:has|have|had)\sno\s(?!longer|doubt|more|fewer|less)", re.I)
THERE_IS = re.compile(r"(?<=\bthere)['’]s\b", re.I)
# "As of December 31, 2022, " and "In 2019, " before the sentence itself.
WHEN = re.compile(rf"^(?:in|as of|at|during|for|according to|based on)\s[^,]*,\s+(?:{YEAR_DIGITS},\s+)?", re.I)
# A clause that grants something is not the answer: "While none were bought in May, it repurchased shares in June."
CONCESSION = re.compile(
    r"^(?:while|although|though|even though|despite|even if|whereas|notwithstanding)\b[^,]*,\s+", re.I
)
NOT_THE_CASE = re.compile(
    r"^(?:it|that) (?:is|was) (?:not|in)\s?(?:the case|true|correct|accurate|right) that\s+", re.I
)
# "It may have paid dividends" says neither.
MODAL = re.compile(
    r"\b(?:may|might|could)\s(?:\w+\s)?(?:have|be|not)\b|\bit is possible\b|\bnot (?:sure|certain)\b", re.I
)
TELLS = re.compile(
    r"\b(?:disclos|report|mention|specif|stat|quantif|discuss|describ|provid|identif|break|list)\w*", re.I
)
CONTRASTED = re.compile(r"\b(?:rather than|instead of|before \w+ing)\s[^,.;]*", re.I)
# A profit and a loss deny one another.
ASKS_PROFIT = re.compile(r"\bprofitab\w+|\b(?:an?|any) (?:net )?profit\b|\b(?:positive )?net income\b", re.I)
ASKS_LOSS = re.compile(r"\b(?:an?|any) (?:net |operating )?loss\b|\bunprofitable\b", re.I)
RESULT = re.compile(
    r"\b(?:(?P<loss>net loss(?:es)?|loss of|unprofitable)|(?P<profit>net (?:income|profit|earnings)|profit of"
    r"|profitab\w+))\b",
    re.I,
)
LEAST_RESTATED_WHOLE = 0.8
# Words that deny one another and are not each other's with a prefix.
OPPOSED = (
    frozenset("breach breached violation violations violated default defaulted".split()),
    frozenset("compliance complied".split()),
)
# Verbs that say of a thing only that there was one: "Did it experience net outflows?"
LIGHT = frozenset("there experience have record incur see generate make post realize recognize suffer undergo".split())


@lru_cache(maxsize=1024)  # whether an answer refuses hangs on it, and then whether it is right
def parse_boolean(answer: str | bool | None, question: str | None = None) -> tuple[bool | None, str]:
    """True for yes, False for no, None for neither; and what decided.

    A leading yes or no (after markup or "Answer:") decides, then one that ends a clause ("so yes"). Otherwise the first
    sentence may deny ("does not attribute"), assert ("It did.") or say the question again or its opposite. An answer
    that abstains says neither, nor does "partially".
    """
    if isinstance(answer, bool) or answer is None:
        return answer, "field" if isinstance(answer, bool) else "empty"
    if question:
        asked = in_one_word(WHEN.sub("", question))
        question = asked[:1].upper() + asked[1:]
    answer = THERE_IS.sub(" is", in_one_word(answer))
    answer = clean(unwrapped(answer))
    if (at_last := said_at_last(answer)) is not None:
        return at_last, "later"
    found = sentences(HEADING.sub("", answer))
    if not found:
        return None, "empty"
    first = ADVERB.sub("", LABEL.sub("", re.sub(r"^\W+", "", found[0])).strip(QUOTES))
    first = CONCESSION.sub("", first)
    if whole := NOT_THE_CASE.match(first):
        denied, _ = parse_boolean(first[whole.end() :], question)
        return denied is False, "denial"
    if outright := said_outright(first, found):
        return (None, "undecided") if is_taken_back(question, found[1:2], outright[0]) else outright
    none = NONE_DONE.match(first)
    if NO_SIGN.search(first) or (question and none and asks_for(question, none["verb"])):
        return False, "denial"
    abstains = abstention(answer).kind != "none"
    if question and not abstains and (said := says_of_controls(question, first)) is not None:
        return said, "restated"
    if not (question and TELLS.search(question)):
        first = REPORTED.sub("", first)
    if question and TELLS.search(question) and (restated := restates(question, first)) is not None:
        return restated, "restated"
    if question and NONE.match(first) and not NO_THING.match(first) and restates(question, first) is False:
        return False, "denial"
    if question and (denies_the_act(question, first) or denies_the_thing(question, first)):
        return False, "denial"
    if abstains:
        return None, "abstains"
    if MODAL.search(first) and not (question and re.search(r"\b(?:may|might|could|can)\b", question, re.I)):
        return None, "undecided"
    if question and (said := says_the_opposite(question, first)) is not None:
        return said, "restated"
    if question and (said := says_by_denial(question, found)) is not None:
        return said, "restated"
    if DENIAL.search(first):
        return False, "denial"
    if ASSERTION.search(first):
        return True, "assertion"
    return inferred(question, first, found)


def inferred(question: str | None, first: str, found: list[str]) -> tuple[bool | None, str]:
    """What parse_boolean gives where nothing is said or denied outright: by figures or by the words of the question."""
    if question is None and (NONE.match(first) or HAS_NONE.match(first)):  # nothing else can be meant
        return False, "denial"
    readers = (passes, moved, restates) if question else ()
    restated = next((said for reads in readers if (said := reads(question, first)) is not None), None)
    if restated is None and (last := next(filter(None, map(IN_A_LATER_ONE.match, found[1:])), None)):
        return last[1].lower() == "yes", "later"
    if restated is None and question:
        concluded = CONCLUDED.split(first)[1:]
        later = (restates(question, sentence) for sentence in [*concluded, *found[1:LEAD_SENTENCES]])
        restated = next((said for said in later if said is not None), None)
    if restated is None and EMPHATIC.match(first) and not NEGATION.search(first):
        return True, "assertion"
    return restated, "neither" if restated is None else "restated"


def is_taken_back(question: str | None, following: list[str], said: bool | None) -> bool:
    """Whether the sentence after a yes or a no says that in fact it is the other way round."""
    turns = [sentence for sentence in following if question and said is not None and TAKEN_BACK.match(sentence)]
    return any(restates(question, IN_FACT.sub("", TAKEN_BACK.sub("", turn))) is (not said) for turn in turns)


def asks_for(question: str, verb: str) -> bool:
    """Whether a question that denies nothing has the verb."""
    return stem(verb.lower()) in words_of(question) and not is_negative(question)


def says_of_controls(question: str, sentence: str) -> bool | None:
    """That controls were not effective says yes to a material weakness, and a weakness in them no to effective ones."""
    if is_negative(question):
        return None
    if re.search(r"\bmaterial weakness", question, re.I):
        return True if re.search(r"\b(?:not effective|ineffective)\b", sentence, re.I) else None
    is_asked = re.search(r"\bcontrols?\b.*\beffective\b|\beffective\b.*\bcontrols?\b", question, re.I)
    return (
        False if is_asked and re.search(r"\bmaterial weakness", sentence, re.I) and not is_negative(sentence) else None
    )


def passes(question: str, sentence: str) -> bool | None:
    """Whether a figure is beyond the one that a question names: "It was $38 million" to "did it exceed $50 million?"

    None where nothing of the kind is asked, the sentence is not of it, or figures lie on both sides.
    """
    named = LIMIT.search(question)
    limit = next(iter(parse_amounts(question[named.end() :])), None) if named else None
    if limit is None or limit.start > 1 or is_negative(question) or is_negative(sentence):
        return None
    if not is_of(question[: named.start()], sentence) and not is_of(question, sentence):
        return None
    figures = [amount.value for amount in parse_amounts(BEFORE_IT.split(sentence)[0]) if amount.unit == limit.unit]
    sides = {value > limit.value if named["above"] else value < limit.value for value in figures}
    return sides.pop() if len(sides) == 1 and limit.value not in figures else None


def words_of(question: str) -> set[str]:
    return {stem(word) for word in content_words(lowercase(question))}


def says_none(answer: str, question: str) -> bool:
    """Whether an answer says in words that there is nothing of what is asked for: "none", or "No dividends were paid."

    What is denied, and what was done with it, has to be the question's: that no shares were issued tells nothing of how
    many were repurchased, nor does a refusal or another year.
    """
    if NOTHING.fullmatch(answer):
        return True
    found = sentences(clean(unwrapped(answer)))
    if not found or abstention(answer).kind != "none" or re.search(rf"\b(?:{CONTRASTS})\b", found[0], re.I):
        return False
    clause = re.split(rf"[,;(]|\s(?:{AT}|{TIMES}|under|because|as)\b", WHEN.sub("", found[0]))[0]
    asked = {stem(word) for word in content_words(question) | LIGHT}
    said = {stem(word) for word in content_words(lowercase(clause)) if not TELLS.match(word)}
    done = [verb for verb in PASSIVE.findall(found[0]) if not TELLS.match(verb)]
    years, years_asked = set(find_years(found[0])[0]), set(find_years(question)[0])
    is_other = not said <= asked or any(stem(verb.lower()) not in asked for verb in done)
    return bool(DENIES_ANY.search(clause) and said) and not is_other and (years <= years_asked or not years_asked)


def denies_the_thing(question: str, sentence: str) -> bool:
    """Whether "it made no acquisitions" where it is asked what it acquired, or "only A did" where both are meant."""
    if BOTH.search(question) and re.match(r"(?:only|just)\s", sentence, re.I):
        return True
    none = NO_SUCH.search(sentence)
    words = {word[:5] for word in content_words(lowercase(question))}
    things = {word[:5] for word in content_words(none[1])} if none else set()
    return bool(things & words) and not is_negative(question)


def denies_the_act(question: str, sentence: str) -> bool:
    """Whether a sentence denies the question's own verb of half its words: "It did not identify a weakness"."""
    denied = DENIED_VERB.search(sentence)
    return bool(denied) and asks_for(SOURCE.sub("", question), denied[1]) and is_of(question, sentence)


def without_asides(question: str, sentence: str) -> str:
    """What a sentence says of the question's own matter: not what it was before, nor what followed, nor why."""
    sentence = FOLLOWS.sub("", WHEN.sub("", CONTRASTED.sub("", sentence)))
    if len(directions_of(question)) == 1 and len(directions_of(sentence)) == 2:
        sentence = BEFORE_IT.split(sentence)[0]
    without_cause = CAUSE.sub("", sentence)
    return without_cause if directions_of(question) and directions_of(without_cause) else sentence


def restates(question: str, sentence: str) -> bool | None:
    """Whether a sentence says the question again (True), its opposite (False) or something else (None)."""
    if is_of_a_year_before(question, sentence):
        return None
    sentence = without_asides(question, sentence)
    asked, said = directions_of(question), directions_of(sentence)
    is_asked_no, is_said_no = is_negative(question), is_negative(sentence)
    if (of_clause := says_in_a_clause(question, sentence)) is not None:
        return of_clause
    if is_of_another_part(question, sentence):
        return None
    if len(asked) == 1 and (changed := CHANGED.match(sentence)):
        return (asked == directions_of(changed[0])) == (not is_asked_no)
    head = re.split(r"\s?[:,;(–—]|\s(?:by|at|vs|versus|than)\b|\s[-–]\s", sentence)[0]
    if len(asked) == len(directions_of(head)) == 1 and says_in_few_words(question, head):
        return (asked == directions_of(head)) == (is_asked_no == is_said_no)
    is_predicate = PREDICATE.match(sentence) and not (asked and said)  # "Comparable sales declined" is a sentence
    if is_predicate and stem(sentence.split()[0].lower()) in words_of(question):
        return is_asked_no == is_said_no  # "Underfunded by $96 million."
    if (result := says_result(question, sentence)) is not None:
        return result
    asked_words = {word for word in content_words(lowercase(SOURCE.sub("", question))) if not directions_of(word)}
    words = {stem(word) for word in asked_words - LIGHT or asked_words}
    if not words:
        return None
    said_words = {stem(word) for word in content_words(sentence)}
    if (said_otherwise := says_the_opposite(question, sentence)) is not None:
        return said_otherwise
    shared = len(words & said_words) / len(words)
    if (
        len(asked) == 1
        and len(said) == 1
        and (shared >= LEAST_RESTATED or PRONOUN.match(sentence) or names_the_noun(question, sentence))
    ):
        return (asked == said) == (is_asked_no == is_said_no)
    if (NONE.match(sentence) or ZERO.search(sentence)) and shared >= LEAST_RESTATED_SHORT and not is_asked_no:
        return False
    if (
        NONE.match(sentence)
        and (first := content_words(WHAT_IS_NONE.sub(r"\1", sentence)))
        and {stem(word) for word in first} <= {stem(word) for word in content_words(question)}
    ):
        return is_asked_no
    if SEVERAL.search(question) and LIMITED.search(sentence) and shared >= LEAST_RESTATED_SHORT:
        return is_asked_no
    if asked and not said and FLAT.search(sentence) and shared >= LEAST_RESTATED:
        return is_asked_no
    if asked and not said:
        return None
    ways = (says_the_verb, says_the_state, is_done)
    if shared >= LEAST_RESTATED_SHORT and any(says(question, sentence) for says in ways):
        return is_asked_no == is_said_no
    if shared >= (LEAST_RESTATED_SHORT if PRONOUN.match(sentence) and not asked else LEAST_RESTATED_WHOLE):
        return is_asked_no == is_said_no
    if UNDONE.search(sentence) and shared >= LEAST_RESTATED_SHORT:
        return is_asked_no
    return None


def is_of_another_part(question: str, sentence: str) -> bool:
    """Whether "Greater China revenues" where "its North America revenues" are asked for."""
    asked, said = PART_ASKED.search(question), PART_SAID.match(sentence)
    if not asked or not said:
        return False
    names = {word.lower() for word in said[1].split()}
    return not names & set(re.findall(r"\w+", question.lower()))


def names_the_noun(question: str, sentence: str) -> bool:
    """Whether a sentence calls what is asked for by its noun, alone or with more of the question's words: "The expense
    grew" for "interest expense"."""
    said = NOUN_MOVED.match(sentence)
    return (
        bool(said)
        and said["noun"].lower() in nouns_asked(question)
        and content_words(said["lead"]) <= content_words(question) | NEUTRAL
        and all(is_in(initials, question) for initials in re.findall(r"\b[A-Z][A-Z&]+\b", said["lead"]))
    )


def is_in(initials: str, question: str) -> bool:
    """Whether a question has words that begin with each of some initials, in their order."""
    begin = iter(word[0].lower() for word in re.findall(r"\w+", question))
    return initials in question or all(letter in begin for letter in re.findall(r"\w", initials.lower()))


def says_in_few_words(question: str, head: str) -> bool:
    """Whether a few words tell of a rise or a fall, "Revenue was up": not "Debt rose" for "debt expense"."""
    asked = nouns_asked(question)
    said = {word for word in content_words(OWNER.sub("", head)) - NEUTRAL if not directions_of(word)}
    said = {word for word in said if not re.match(rf"\w+ly$|(?:{ROSE}|{FELL})$", word)}
    return len(head.split()) <= 3 and (not asked or not said or bool(said & asked))


def nouns_asked(question: str) -> set[str]:
    """The noun of what a question says that it rises or falls, with what else it is called."""
    found = NOUN_ASKED.search(question)
    nouns = {found["before"] or found["after"]} if found else set()
    nouns = {noun.lower() for noun in nouns} - members(BE, DO, ARTICLES)
    return nouns | {other for same in CALLED for other in same if nouns & same}


def says_the_verb(question: str, sentence: str) -> bool:
    """Whether a sentence says the question's verb of its subject: "Easton intends to stay a REIT"."""
    asked = SUBJECT_AND_VERB.match(question)
    names = [asked["name"], asked["name"].split()[0], "It", "They", "The company"] if asked else []
    said = asked and re.match(rf"\W*(?:{'|'.join(map(re.escape, names))})(?:['’]s)?\s(?:\w+ly\s)?([a-z]+)\b", sentence)
    return bool(said) and stem(said[1]) == stem(asked["verb"])


def is_done(question: str, sentence: str) -> bool:
    """The same turned round: "A weakness was identified" where it is asked whether X identified one."""
    said = PASSIVE.search(sentence)
    is_asked_for = bool(said and ASKS_DONE.match(question)) and stem(said["verb"].lower()) in words_of(question)
    return is_asked_for and abstention(sentence).kind == "none"


def says_the_state(question: str, sentence: str) -> bool:
    """The same of a form of be: "Ostrander was in compliance with all covenants"."""
    asked = BE_AND_SUBJECT.match(question)
    if not asked:
        return False
    names = [asked["name"], asked["name"].split()[0], "It", "They", "The company"]
    said = re.match(rf"\W*(?:{'|'.join(map(re.escape, names))})\s{asked['be']}\s", sentence, re.I)
    return bool(said)


def says_result(question: str, sentence: str) -> bool | None:
    """Whether a profit or a loss that is asked for was made; None where nothing is asked, or said, of either."""
    for_profit, for_loss = ASKS_PROFIT.search(question), ASKS_LOSS.search(question)
    said = RESULT.search(sentence)
    if bool(for_profit) == bool(for_loss) or not said or is_negative(question):
        return None
    if directions_of(LOSS.sub(" ", question)):  # "Did net income fall?"
        return None
    return (bool(said["profit"]) == bool(for_profit)) != is_negative(sentence)


def says_the_opposite(question: str, sentence: str) -> bool | None:
    """What a sentence says by an opposite of the question's word: "was not in compliance" to "was it in breach"."""
    if opposites(content_words(question), content_words(sentence)) and (
        PRONOUN.match(sentence) or is_of(question, sentence)
    ):
        return is_negative(question) != is_negative(sentence)
    return None


def opposites(asked: set[str], said: set[str]) -> bool:
    """Whether a word of the one is the opposite of one of the other: effective, ineffective; breach, compliance."""
    if any(asked & ours and said & theirs and not said & ours for ours, theirs in (OPPOSED, OPPOSED[::-1])):
        return True
    return any(
        negates(other, word) for ours, theirs in ((asked, said), (said, asked)) for word in ours for other in theirs
    )
