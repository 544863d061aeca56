"""Which quantity a figure of an answer is of: "SG&A was $412 million" answers no question about research.

Signs that make a figure another quantity's: its clause names financial quantities and none of those that the question
names; it has a subject that shares no word with the question where another figure's shares some; it names another
segment or company, labels another fiscal year, or says what flowed in or out of a debt whose balance is asked for.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import lru_cache

from finrag.scoring.labels import VERB, label_of
from finrag.text.abstention import SOURCE, STATEMENTS
from finrag.text.acts import is_of_another_phase, is_undone
from finrag.text.amounts import Amount, parse_years
from finrag.text.companies import GENERIC, LEGAL_FORMS
from finrag.text.stems import stem
from finrag.text.vocabulary import BE, COMPARISONS, DO, HAVE
from finrag.text.words import NEGATION, REACH, SMALL_WORDS, STOP_WORDS, content_words
from finrag.text.years import MONTHS, YEAR_DIGITS

# What filings call a quantity by. A wording may be of several.
QUANTITIES = {
    name: re.compile(rf"\b(?:{words})", re.I)
    for name, words in {
        "revenue": r"revenues?\b|(?:net\s)?sales\b|turnover\b|top\sline",
        "research": r"research(?:\sand\sdevelopment)?\b|R&D\b",
        "selling": r"SG&A\b|selling,?\s(?:and\s)?general(?:,?\sand\sadministrative)?|selling\s(?:expense|cost)s?\b"
        r"|general\sand\sadministrative|marketing\b|advertising\b",
        "capital expenditure": r"capital\s(?:expenditures?|spending|investments?|projects?|outlays?)\b|capex\b"
        r"|(?:purchases?|additions?)\s(?:of|to)\s(?:PP&E|property)\b",
        "dividends": r"dividends?\b",
        "repurchases": r"(?:re-?purchas\w+|bought\sback|buy-?\s?backs?|buying\sback)\b",
        "tax": r"(?:income\s)?tax(?:es)?\b",
        "depreciation": r"depreciation\b|amorti[sz]ation\b",
        "goodwill": r"goodwill\b",
        "inventory": r"inventor(?:y|ies)\b",
        "backlog": r"backlog\b",
        "employees": r"employees\b|headcount\b|workforce\b|associates\b",
        "restructuring": r"restructuring\b|severance\b",
        "stock compensation": r"(?:stock|share|equity)-based\scompensation\b",
        "receivables": r"receivables?\b",
        "net income": r"net\s(?:income|earnings|loss(?:es)?|profits?)\b|earned\b(?!\s(?:on|in|by|from|as|income))"
        r"|EPS\b|(?:income|earnings|loss(?:es)?)\sper\s(?:\w+\s){0,3}?shares?\b|earnings\sper\b",
        "operating income": r"operating\s(?:\w+\s)?(?:income|profit|loss|earnings|result|margin)s?\b",
        "gross profit": r"gross\s(?:profit|margin|loss)\b",
        "cost of sales": r"costs?\sof\s(?:goods\ssold|sales|revenues?|products)",
        "interest expense": r"interest\s(?:expense|cost)s?\b|net\sinterest\sincome\b",
        "interest income": r"interest\sincome\b|net\sinterest\s(?:expense|cost)s?\b",
        "assets": r"assets\b",
        "liabilities": r"liabilit\w+",
        "debt": r"(?:debts?|borrowings|notes|loans?|revolver|facility)\b",
        "cash flow": r"(?<!statement of )(?<!statements of )(?<!free )cash\s"
        r"(?:flows?(?!\sstatement)|provided|used|generated)\b|CFO\b",
        "free cash flow": r"free\scash(?:\sflows?)?\b|FCF\b",
        "deposits": r"deposits\b",
        "liquidity": r"liquidity\b",
        "provision": r"provisions?\b",
        "allowance": r"allowances?\b",
        "stores": r"(?:stores|restaurants|hotels|hospitals|plants|branches)\b",
        "patents": r"patents?\b",
    }.items()
}
# Money is spent on some of these out of, or measured against, others: "12% of revenue".
MEASURED_BY = re.compile(r"\b(?:of|per|as\sa\s(?:percentage|share)\sof)\s(?:its\s|the\s|total\s|net\s|our\s)*$", re.I)
EDGE = re.compile(
    r"[;\n|]|(?<!U\.S)[.!?](?=\s)|,\s(?:of\swhich|and|while|whereas|but|although|though|with|compared|against|versus)\s"
    r"|\s(?:while|whereas|but|alongside)\s"
    r"|\sand\s(?=(?:[\w&'’-]+\s){1,5}?(?:was|were|is|are|grew|rose|fell|increased|decreased|declined|dropped|totall?ed|amounted|stood|came|reached)\s)",
    re.I,
)
# A question, what answers it and what says the opposite: a profit is no loss, cash from operations none used in them.
OPPOSITES = (
    (
        re.compile(r"\bloss(?:es)?\b(?!\s(?:ratio|reserve|adjustment))(?!.*\b(?:profit|income|credit|loan)\b)", re.I),
        re.compile(r"\b(?:loss(?:es)?|lost|negative|red|deficit)\b|\(\s?$|-\s?$", re.I),
        re.compile(r"\bearned\b|\b(?:a|net)\sprofit\b|\bprofitable\b", re.I),
    ),
    (
        re.compile(r"\breceive\b", re.I),
        re.compile(r"\b(?:receiv\w+|proceeds|sold|sale|inflow\w*)\b", re.I),
        re.compile(r"\b(?:paid|spent|bought)\b", re.I),
    ),
    (
        re.compile(r"\btax\sbenefit\b", re.I),
        re.compile(r"\b(?:benefit|credit)\b", re.I),
        re.compile(r"\b(?:expense|charge|provision)\b", re.I),
    ),
    (
        re.compile(r"\bpa(?:y|ys|id)\b", re.I),
        re.compile(r"\b(?:pa(?:y|ys|id|ying|yments?)|spent|net\sof)\b", re.I),
        re.compile(r"\b(?:received|refunds?|refunded|collected)\b", re.I),
    ),
    (
        re.compile(r"\bcash\b[^?]{0,40}\b(?:used?|burn(?:ed|t)?)\b", re.I),
        re.compile(r"\b(?:used|using|burn\w*|outflow\w*|negative|consumed)\b", re.I),
        re.compile(r"\b(?:generat\w+|provided|inflows?|produced)\b", re.I),
    ),
    (
        re.compile(r"\bcash\b[^?]{0,40}\b(?:generat\w+|provided?)\b(?![^?]*used)", re.I),
        re.compile(r"\b(?:generat\w+|provided|inflows?|produced)\b", re.I),
        re.compile(r"\b(?:used|burn\w*|outflow\w*|consumed)\b", re.I),
    ),
    *(
        (
            re.compile(rf"\bcash\b[^?]*\b{kind}|\b{kind}\w*\s(?:activities|cash)\b", re.I),
            re.compile(rf"\b{kind}", re.I),
            re.compile(rf"\b(?!{kind})(?:operati|investi|financi)\w+\s(?:activities|cash)\b", re.I),
        )
        for kind in ("operati", "investi", "financi")
    ),
)
# "How much higher was A's than B's?"
MORE_THAN = re.compile(
    r"\b(?:(?P<more>higher|more|greater|larger|bigger|above|exceed(?:s|ed|ing)?)|(?P<less>lower|less|smaller|fewer|below))\b"
    r"(?:[^.;?]*?\bthan)?(?:\sthe|\sthat\sof)?\s(?P<than>[A-Z][\w&]+)"
)
MORE_ON = re.compile(r"\bmore\b[^.;?]*?\b(?:on|for|in)\s(?P<one>\w+)\sthan\s(?:on|for|in)\s(?P<two>\w+)", re.I)
REMAINDER = re.compile(r"\b(?:the\s(?:other|remaining|rest)|remaining)\s$", re.I)
CAUSE = re.compile(
    r"(?<=increase\s)to\b.*|(?<=decrease\s)to\b.*|(?<=decline\s)to\b.*|(?<=rise\s)to\b.*|(?<=growth\s)to\b.*"
    r"|\b(?:driven\sby|due\sto|because|reflecting|as\sa\sresult|attributable|owing|mostly|mainly|primarily|largely|helped|given|on\sthe\sback)\b.*",
    re.I | re.S,
)
ELLIPTIC = re.compile(
    r"^[^.;|\n]{0,30}?(?:,|\band)\s(?P<name>(?:[A-Z][\w&'’-]*\s){1,3}|(?:its|the|their)\s[a-z]+\s|(?:[a-z]+\s){1,3})(?:by\s|at\s)?$"
)
OBJECT = re.compile(
    r"\s(?:on|for)\s((?:(?!(?:and|in|during|the\syear)\b)[\w'’-]+\s?){1,6})(?=\s?(?:and\b|in\b|[,.;]|$))", re.I
)
NOUN_OF = re.compile(r"\b((?:[a-z-]+\s){1,2})of\s(?:about\s|approximately\s)?[$€£]?$")  # "a backlog of $5 million"
OTHER = re.compile(r"(?:its|the|their)\s(?!total|amount|rate|figure|average)[a-z]+\s$")
# What flows in or out of a debt, where its balance is asked for.
FLOW_ASKED = re.compile(
    r"\b(?:re)?(?:pa(?:y|id)|fund|financ|proceeds|issu|rais|borrow|receiv|redeem|redempt|retir|interest|spen[dt]|cost|cash)",
    re.I,
)
FLOWS = re.compile(
    r"\b(?:(?:net\s)?(?:repayments?|proceeds|issuances?|retirements?|redemptions?|interest)\s"
    r"(?:(?:paid|incurred|received|expense)\s)?(?:of|from|on)\s(?:the\s|its\s|our\s)?)+(?P<of>(?:[\w-]+\s?){1,3})",
    re.I,
)
# The part that a question names: "revenues (segment: Snacks)", "in the Snacks segment".
NAME = r"(?:[A-Z][\w&'’.-]*\s){0,3}[A-Z][\w&'’.-]*"
PART = r"(?:segment|division|region|franchise|business(?:\sunit)?)"
PART_ASKED = re.compile(
    rf"\((?:{PART}|product\sor\sservice):\s(?P<name>[^()]+)\)|\b(?:the|its|in|of)\s(?P<named>{NAME})\s{PART}\b"
    rf"|(?:\bits|['’]s?)\s(?P<own>{NAME})\s(?=[a-z])"
)
PART_SAID = re.compile(rf"\b(?:the|The|its|Its)\s(?P<name>{NAME})\s{PART}\b")
PART_FIRST = re.compile(rf"^\W*(?P<name>{NAME})\s(?P<of>(?:[a-z]+\s){{1,3}})")  # "Snacks revenue was"
PART_AFTER = re.compile(rf"(?P<of>(?:[A-Za-z]+\s){{1,3}})(?:for|in|from)\s(?:the\s|its\s)?(?P<name>{NAME})")
PART_BEFORE = re.compile(rf"^\W*(?:In|For)\s(?:the\s|its\s)?(?P<name>{NAME}),\s(?P<of>.*)", re.S)
# Whose a figure is: "Norda's net sales were", "Norda reported net sales of", "net sales at Norda were".
SAYS_OF = (
    re.compile(rf"(?<![\w-])(?P<name>{NAME})['’]s?\s(?P<of>(?:[a-z-]+\s){{1,5}})"),
    re.compile(
        rf"(?<![\w-])(?P<name>{NAME})\s(?:reports|reported|posted|recorded|disclosed|generated|earned|had|achieved)\s"
        r"(?P<of>(?:[a-z-]+\s){1,6})"
    ),
)
OF_WHOM = re.compile(rf"(?P<of>(?:[A-Za-z-]+\s){{1,4}})(?:of|at|by)\s(?P<name>{NAME})(?=\s[a-z]|\W*$)")
COMPANY_ASKED = re.compile(
    rf"(?<![\w-])(?P<whose>{NAME})['’]s?\s"
    rf"|\b(?i:{DO}|{HAVE}|{BE}|of|for|by)\s(?i:the\s)?(?P<name>{NAME}(?:\s(?:&|and)\s{NAME})?)"
)
# Who may be asked for without a name: "its largest customer", "which subsidiary".
OF_ANYBODY = re.compile(
    r"\b(?:largest|biggest|highest|most|which|who|whose|customers?|suppliers?|subsidiar\w+|acqui\w+|competitors?|brands?"
    r"|partners?|tenants?|ventures?|peers?)\b",
    re.I,
)
# What a company is called as often as by its name.
TRADING_AS = {"alphabet": "google", "meta": "facebook", "coca-cola": "coke"}
INITIALS = re.compile(r"[^a-z]+|(?:[A-Z][a-z]?){2,4}")  # FoA
UNITED_STATES = re.compile(r"\bU(?:\.S\.(?:A\.)?|SA?\b)(?!\s?[$]|\sdollars)")
FISCAL = rf"(?:fiscal\s(?:year\s)?|FY\s?)(?P<year>{YEAR_DIGITS})\b"
FISCAL_YEAR = re.compile(rf"\b{FISCAL}", re.I)
# "in 2021", "for the year ended September 30, 2021", "FY21"
DATED = (
    rf"(?P<dated>(?:(?:the\s)?years?\sended\s)?(?:(?:{'|'.join(MONTHS)})\s\d\d?,\s)?"
    rf"(?:(?:fiscal\s(?:year\s)?|FY\s?)?{YEAR_DIGITS}|FY\s?['’]?\d\d)\b)"
)
CALLED_FISCAL = re.compile(r"\b(?:fiscal\s(?:year\s)?|FY\s?['’]?)\d", re.I)
FISCAL_BEFORE = re.compile(rf"(?:^\W*|\b(?:in|for|during|as\sof)\s(?:the\s)?){DATED}[^.;\d]*$", re.I)
FISCAL_AFTER = re.compile(rf"^[^.;\d]{{0,60}}?\b(?:in|for|during|end\sof|as\sof)\s(?:the\s)?{DATED}", re.I)
COMPARED = re.compile(rf"\b(?:{COMPARISONS}|over|up|down|since|to|(?:following|next|subsequent)\syear|later)\b", re.I)
# Words of a question that say nothing of what it asks.
EMPTY = frozenset(
    stem(word)
    for word in (
        *(month for month in MONTHS if month != "may"),  # which is a verb too
        *"""
        amount total percentage percent fiscal year year-end quarter dollars reported report reporting growth grow grew
        rise increase increased decrease decreased decline declined change changed difference compared much many
        number share approximately period ended filing
        """.split(),
    )
)


# What a name may consist of and be of no part: "Total Revenue", "The Company".
OF_ANY_PART = EMPTY | {
    stem(word)
    for word in """
    net gross company consolidated segment operating according based answer final value result figure note item table
    part page
    """.split()
}
YEAR = re.compile(rf"\b{YEAR_DIGITS}\b")
# Parts of filings, and words that a sentence begins with.
IN_A_FILING = re.compile(
    rf"{SOURCE}|{STATEMENTS}|registrant|income|cash|annual|(?:full-)?year|last|today|here|there", re.I
)


@lru_cache(maxsize=1024)
def quantities_of(text: str) -> frozenset[str]:
    return frozenset(
        name
        for name, words in QUANTITIES.items()
        if any(not MEASURED_BY.search(text, 0, match.start()) for match in words.finditer(text))
    )


@lru_cache(maxsize=4096)
def words_of(text: str) -> frozenset[str]:
    text = UNITED_STATES.sub("United States", re.sub(r"\bR&D\b", "research development", text))
    text = re.sub(r"\b(?<=net\s)(?:loss(?:es)?|profits?|earnings)\b", "income", text, flags=re.I)
    text = re.sub(r"\b(?:revenues?|turnover)\b", "sales", text, flags=re.I)
    return frozenset(map(stem, content_words(text))) - EMPTY


def of_what_is_asked(
    candidates: Sequence[Amount], amounts: Sequence[Amount], text: str, question: str | None
) -> list[Amount]:
    """Those of an answer's figures that are not of another quantity than a question's; may be none."""
    asked, wanted = quantities_of(question or ""), words_of(question or "")
    labels = {a: label_of(a, amounts, text) for a in candidates}
    left = list(candidates)
    if asked:
        left = [a for a in left if not is_of_others(own_words(a, amounts, text, wanted), asked)]
        left = [a for a in left if not is_of_others(labels[a], asked)]
    clauses = {a: "".join(clause_of(a, text)) for a in left}
    question = question or ""
    year = unsaid_year(text, question)
    left = [
        a
        for a in left
        if not is_opposite(clauses[a], question)
        and not is_turned_round(clauses[a], question)
        and not is_other_way(clauses[a], question)
        and not (len(left) > 1 and is_of_the_rest(a, text, question, wanted))
        and not is_undone(clause_of(a, text)[0], "", question)
        and not is_of_another_phase(clauses[a], question)
        and not is_flow(own_words(a, amounts, text, wanted), question)
        and not is_of_another_part(clause_of(a, text)[0], clauses[a], labels[a], question)
        and not is_of_another_company(clauses[a], text, question)
        and not (year and is_of_another_year(*clause_of(a, text), int(year)))
    ]
    left = of_the_part(left, labels, question)
    shares, subjects = {}, {}
    for a in left:
        named = elliptic_subject(a, amounts, text, wanted)
        subjects[a] = named or subject_of(clause_of(a, text)[0])
        shares[a] = bool(wanted & (named or words_of(own_words(a, amounts, text, wanted) + clause_of(a, text)[0])))
    if any(shares[a] and subjects[a] for a in left):
        left = [a for a in left if shares[a] or not subjects[a]]
    names = {a: subjects[a] if is_named(clause_of(a, text)[0]) else set() for a in left}
    if any(names[a] & wanted for a in left):
        left = [a for a in left if not names[a] or names[a] & wanted]
    clauses_of_others = [subject_of(clause) for clause in EDGE.split(text)]
    if any(subject and subject <= wanted for subject in clauses_of_others):
        left = [a for a in left if shares[a] or not subjects[a] or subjects[a] & wanted]
    objects = {a: object_of(a, amounts, text) for a in left}
    if any(objects[a] & wanted for a in left):
        left = [a for a in left if not objects[a] or objects[a] & wanted]
    # "store sales" where another figure is of the "e-commerce sales" that are asked for
    return [
        a
        for a in left
        if not (subjects[a] & wanted and subjects[a] - wanted)
        or not any(
            subjects[a] & wanted < subjects[b] & wanted
            or (
                len(subjects[a] & wanted) <= len(subjects[b])
                and subjects[b] <= wanted
                and not NEGATION.search(clause_of(b, text)[0])
            )
            for b in left
        )
    ]


def is_flow(words: str, question: str) -> bool:
    """Whether a figure is of what flows in or out, "repayments of long-term debt", where its balance is asked for."""
    if FLOW_ASKED.search(question) or "debt" not in quantities_of(question):
        return False
    flow = FLOWS.search(words)
    return bool(flow) and "debt" in quantities_of(flow["of"]) and "debt" not in quantities_of(FLOWS.sub(" ", words))


def is_of_another_part(lead: str, clause: str, label: str, question: str) -> bool:
    """Whether a clause or a label names another segment, product or region than the question's and not that: "Latin
    America" for "North America" too."""
    asked, said = part_asked(question), words_of(f"{label} {clause}")
    if asked <= said:
        return False
    names = [match["name"] for match in PART_SAID.finditer(clause)]
    found = (*PART_FIRST.finditer(lead), *PART_BEFORE.finditer(lead), *PART_AFTER.finditer(clause))
    names += [match["name"] for match in found if quantities_of(match["of"])]
    names += [label] if all(word[0].isupper() for word in {*label.split()} - SMALL_WORDS) else []
    known = words_of(question) | OF_ANY_PART
    beginnings = tuple(word[:5] for word in asked)  # American, America
    for name in names:
        words = words_of(name)
        if not words or quantities_of(name) or INITIALS.fullmatch(UNITED_STATES.sub("States", name)):
            continue
        others = {word for word in words - known if not word.startswith(beginnings)}
        if (asked & words and others) if asked & said else not words & known:
            return True
    return False


def is_of_another_company(clause: str, text: str, question: str) -> bool:
    """Whether a clause names an owner of its figure, and the answer nowhere the company that the question names. Who is
    called by initials may be that one."""
    asked = {word for match in COMPANY_ASKED.finditer(question) for word in name_words(match["whose"] or match["name"])}
    asked |= {TRADING_AS[name] for name in asked if name in TRADING_AS}
    said = text.lower().replace(" ", "")  # JP Morgan
    if not asked or OF_ANYBODY.search(question) or any(name in said for name in asked):
        return False
    beginnings = tuple(word[:4] for word in {*asked, *re.findall(r"\w{3,}", question.lower())})  # its part, too
    names = (name_words(owner) for owner in owners_in(clause, question) if not quantities_of(owner))
    return any(name and not any(word.startswith(beginnings) for word in name) for name in names)


def owners_in(clause: str, question: str) -> list[str]:
    """Whom a clause names as those of a financial quantity, or of what the question asks for in its own words."""
    wanted = words_of(question)
    found = [match for says in SAYS_OF for match in says.finditer(clause)]
    own = [match["name"] for match in found if quantities_of(match["of"]) or words_of(match["of"]) & wanted]
    return own + [match["name"] for match in OF_WHOM.finditer(clause) if quantities_of(match["of"])]


def name_words(name: str) -> set[str]:
    """The words of a name, in lower case, that tell a company: no initials, legal form, place or part of a filing."""
    words = re.findall(r"\b[A-Z][\w&-]*[a-z]\b", re.sub(r"['’]s?(?!\w)", "", name))
    telling = {word.lower() for word in words if not IN_A_FILING.fullmatch(word)} - GENERIC - LEGAL_FORMS - STOP_WORDS
    return {word for word in telling if len(word) > 2 and stem(word) not in OF_ANY_PART}


def part_asked(question: str) -> set[str]:
    """The words of the part that a question names."""
    asked = PART_ASKED.search(question)
    return words_of(asked["name"] or asked["named"] or asked["own"]) if asked else set()


def of_the_part(candidates: Sequence[Amount], labels: Mapping[Amount, str], question: str) -> list[Amount]:
    """Without what is listed under others, where something is listed under the part that the question names: with the
    most of its words, and of these with the fewest that the question lacks."""
    asked, wanted = part_asked(question), words_of(question)
    words = {a: words_of(labels[a]) for a in candidates}
    fit = {a: (len(words[a] & asked), -len(words[a] - wanted)) for a in candidates if words[a]}
    best = max(fit.values(), default=(0, 0))
    return [a for a in candidates if a not in fit or fit[a] == best] if best[0] else list(candidates)


def unsaid_year(text: str, question: str) -> str | None:
    """The one fiscal year that a question names, if the answer never does."""
    asked = {match["year"] for match in FISCAL_YEAR.finditer(question)}
    is_one = len(asked) == 1 and asked == {match[0] for match in YEAR.finditer(question)}
    return next((year for year in asked if is_one and year not in text), None)


def is_of_another_year(lead: str, tail: str, asked: int) -> bool:
    """Whether a figure is labelled with another fiscal year than the one asked for, or with an earlier year or date. A
    later date is no label: fiscal 2022 may end in January 2023."""
    label = FISCAL_BEFORE.search(lead) or FISCAL_AFTER.search(tail)
    if not label or COMPARED.search(lead + tail):
        return False
    (year,) = (int(year.value) for year in parse_years(label["dated"]))
    return year < asked or (year > asked and bool(CALLED_FISCAL.search(label["dated"])))


def is_turned_round(clause: str, question: str) -> bool:
    """Whether "B's was higher than A's" where it is asked by how much A's was higher than B's."""
    asked, said = MORE_THAN.search(question), MORE_THAN.search(clause)
    if not asked or not said:
        return False
    is_swapped = (
        asked["than"] != said["than"]
        and said["than"] in question[: asked.start("than")]
        and asked["than"] in clause[: said.start()]
    )
    same_way = bool(asked["more"]) == bool(said["more"])
    return is_swapped if same_way else asked["than"] == said["than"]


def is_of_the_rest(amount: Amount, text: str, question: str, wanted: set[str]) -> bool:
    """ "The other 58% are annual": of what is not asked for."""
    lead, tail = clause_of(amount, text)
    return bool(REMAINDER.search(lead)) and not words_of(tail) & wanted and not re.search(r"other|remain", question)


def is_other_way(clause: str, question: str) -> bool:
    """Whether "more on B than on A" where it is asked how much more was spent on A than on B."""
    asked, said = MORE_ON.search(question), MORE_ON.search(clause)
    return bool(asked and said) and asked["one"] == said["two"] and asked["two"] == said["one"]


def is_opposite(clause: str, question: str) -> bool:
    return any(
        asks.search(question) and says.search(clause) and not answers.search(clause)
        for asks, answers, says in OPPOSITES
    )


def is_of_others(words: str, asked: frozenset[str]) -> bool:
    named = quantities_of(words)
    return bool(named) and not named & asked


def place_of(amount: Amount, amounts: Sequence[Amount]) -> int:
    """Which of the amounts of a text, in order, it is. A long table has thousands: they are not compared one by one."""
    return bisect_left(amounts, amount.start, key=lambda each: each.start)


def own_words(amount: Amount, amounts: Sequence[Amount], text: str, wanted: set[str]) -> str:
    """Of the words of a figure's clause those that stand between it and its neighbours, without a cause."""
    lead, tail = clause_of(amount, text)
    place = place_of(amount, amounts)
    first = max(amount.start - len(lead), amounts[place - 1].end if place else 0)
    last = amount.end + len(tail)
    if place + 1 < len(amounts) and amounts[place + 1].start < last:
        last = amounts[place + 1].start
        named = elliptic(amount.end, last, text, wanted)
        last = amount.end + named.start("name") if named else last
    return f"{text[first : amount.start]} {CAUSE.sub('', text[amount.end : last])}"


@lru_cache(maxsize=4096)  # a dozen rules ask for that of each figure
def clause_of(amount: Amount, text: str) -> tuple[str, str]:
    """The words of its clause before and after a figure."""
    start, end = max(0, amount.start - REACH), min(len(text), amount.end + REACH)
    edges = [match.end() for match in EDGE.finditer(text, start, amount.start)]
    after = EDGE.search(text, amount.end - text[: amount.end].endswith(" "), end)
    return text[max(edges, default=start) : amount.start], text[amount.end : after.start() if after else end]


def elliptic_subject(amount: Amount, amounts: Sequence[Amount], text: str, wanted: set[str]) -> set[str]:
    """Whose a figure is that follows another without a verb: "Europe grew 13% and Asia 2%"."""
    lead = clause_of(amount, text)[0]
    if label := words_of(label_of(amount, amounts, text)):
        return label
    place = place_of(amount, amounts)
    named = elliptic(amounts[place - 1].end, amount.start, text, wanted) if place else None
    if named:
        return words_of(named["name"])
    noun = NOUN_OF.search(lead)
    return words_of(noun[1]) if noun and not VERB.search(lead) else set()


def elliptic(start: int, end: int, text: str, wanted: set[str]) -> re.Match | None:
    named = ELLIPTIC.search(text[start:end])
    is_subject = named and (
        named["name"][0].isupper()
        or OTHER.match(named["name"])
        or quantities_of(named["name"])
        or set() < words_of(named["name"]) <= wanted
    )
    return named if is_subject else None


def object_of(amount: Amount, amounts: Sequence[Amount], text: str) -> set[str]:
    """What a figure is spent on or held in: "$27 million on docking and $8 million on water systems"."""
    place = place_of(amount, amounts)
    end = amounts[place + 1].start if place + 1 < len(amounts) else len(text)
    named = OBJECT.match(text[amount.end : end])
    return words_of(named[1]) if named else set()


def subject_of(lead: str) -> set[str]:
    """The content words that a clause begins with, up to its verb; none where it has no verb."""
    verb = VERB.search(lead)
    return words_of(lead[: verb.start()]) if verb else set()


def is_named(lead: str) -> bool:
    """Whether the subject of a clause is a name: "Norda had"."""
    verb = VERB.search(lead)
    return bool(verb) and bool(re.fullmatch(rf"\W*{NAME}\s", lead[: verb.start()]))
