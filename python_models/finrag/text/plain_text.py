"""Text written plainly, so that a grammar of ASCII digits can read its numbers.

"two point four billion", "2.406,7", "2 406.7", "2.4 x 10^9", "a third of", "doubled" and the marks of markdown and
LaTeX become digits, commas, points, % and scale words; everything else stays as it is.
"""

from __future__ import annotations

import html
import re
import unicodedata
from functools import lru_cache

from finrag.text.vocabulary import APPROXIMATELY

SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
ONES = (
    *"zero one two three four five six seven eight nine".split(),
    *"ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(),
)
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
WORD_VALUES = {word: value for value, word in enumerate(ONES)} | {
    word: 10 * value for value, word in enumerate(TENS, start=2)
}
PARTS = {
    "half": 2,
    "halves": 2,
    "third": 3,
    "quarter": 4,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "eighth": 8,
    "tenth": 10,
}
MULTIPLES = {"doubled": 100, "tripled": 200, "quadrupled": 300}
POWERS = {3: "thousand", 6: "million", 9: "billion", 12: "trillion"}

# Digits that are read. What has more is no figure, and Python reads no whole number of more than 4,300.
MOST_DIGITS = 15
WHOLE = rf"\d{{1,{MOST_DIGITS}}}"
# Characters in a row without a letter or a digit. Longer ones are padding, rules of tables and a model that repeats
# itself. Each pattern that may begin anywhere in them would take quadratic time.
LONGEST_RUN = 200
KEPT_OF_RUN = 80  # at either end: what belongs to the words beside it
RUN = re.compile(rf"(?<![\W_])[\W_]{{{LONGEST_RUN},}}+")

_WORD = rf"(?:{'|'.join((*TENS, *ONES))})"
SPELLED = re.compile(
    rf"\b{_WORD}(?:(?:[\s-]|\s(?:hundred|thousand)\s(?:and\s)?){_WORD})*(?:\s(?:hundred|thousand)\b)*(?:\spoint(?:\s{_WORD})+)?\b",
    re.I,
)
UNIT_AFTER = re.compile(
    r"^[\s-]?(?:hundred|thousand|million|billion|trillion|percentage|percent|per\scent|%|basis|points?\b|times\b|dollars?\b"
    r"|euros?\b|cents?\b|(?:year|month|week|day|quarter)s?\b)",
    re.I,
)
ONE_THING = re.compile(
    r"\s(?:[a-z-]+\s)?(?:segment|store|plant|facility|class|customer|supplier|subsidiary|director|country|employee)\b"
)
IS_COUNT = re.compile(r"\s(?:[a-z-]+\s){0,2}[a-z]{2,}s\b")  # "three segments", "two reportable segments"
FRACTION = re.compile(
    r"\b(?:a\s)?(?P<point>half|quarter)(?:\sof)?\sa\s(?=percentage\spoint|million|billion)|\b(?P<count>an?|one|two|three|four|five|six|seven|nine|\d)[\s-](?P<part>half|third|quarter|fourth|fifth|sixth|eighth|tenth)s?\b"
    r"(?=\s+of\b|\s*$|[.,;)])|\b(?<!first )(?<!second )(?<!last )(?<!latter )(?P<half>half)\b(?=\s+of\b|\s*[.,]?\s*$)"
    r"|(?<![\d/])(?P<top>\d)/(?P<bottom>[2-9]|10)(?![\d/])",
    re.I,
)
# A fraction that the figure itself follows: "by nearly a third, 31%", "about two-thirds (66%)".
ROUGHLY = re.compile(
    rf"\b(?:(?:{APPROXIMATELY}|over|just\s(?:over|under)|more\sthan|less\sthan|some)\s)?"
    r"(?:an?|one|two|three|four)[\s-](?:half|third|quarter|fourth|fifth|sixth|eighth|tenth)s?(?:,|\s[-(]|\s?\()\s?(?:or\s|about\s)?"
    r"(?=\d+(?:\.\d+)?\s?(?:%|percent))|\bhalf(?:,|\s\()\s?(?:or\s|about\s)?(?=\d+(?:\.\d+)?\s?(?:%|percent))",
    re.I,
)
SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
ENTITY = re.compile(r"&(?:#\d{1,6}|#x[0-9a-f]{1,6}|[a-z]{2,8});", re.I)
# Full-width forms, as of East Asian type, stand at the same distance from ASCII.
FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
MARKS = {
    r"[\u00ad\u200b-\u200f\u2060\ufeff]": "",
    r"[\u2010-\u2015\u2212\ufe63\uff0d]": "-",
    r"(?<=\d)[\u00a0\u2009\u202f](?=\d{3}(?!\d))": ",",
    r"[\u00a0\u2000-\u200a\u202f\u3000]": " ",
    r"\\(?:text|mathrm|textbf|mathbf|operatorname)\{([^{}]*)\}": r"\1",
    r"\{,\}": ",",
    r"\$?\\boxed\{([^{}]*)\}\$?": r"= \1",
    r"\\[dt]?frac\{([^{}]*)\}\{([^{}]*)\}": r"\1 / \2",
    r"\\(?:times|cdot)\b": "×",
    r"\\(?:approx|simeq|sim|rightarrow|Rightarrow|implies)\b": "≈",
    r"\\(?:left|right|quad|qquad|displaystyle)\b|\\[()\[\];! ]|\$\$": " ",
    r"(?<![\w$\\])\$(?=[^$\n]{0,9}\\\$)((?:\\\$|[^$\n]){1,60})(?<!\\)\$": r"\1",  # $\$5.3$, which is a formula
    r"\\([$%,&#])": r"\1",
    r"(?<![\w$])\$(-?\d[\d.,]*\s?%?)\$(?!\d)": r"\1",
    r"\*\*|__(?=\S)|`": "",
    rf"(?<=[\w%)])[{SUPERSCRIPTS}]+": "",
    r"(?<=\d)['’](?=\d{3}(?!\d))": ",",
    r"[ \t]{2,}": " ",
}
_MARKS = [(re.compile(pattern), replacement) for pattern, replacement in MARKS.items()]
POWER = re.compile(rf"(?<=\b10)[{SUPERSCRIPTS}]+")
EUROPEAN = re.compile(r"(?<![\d.,])\d{1,3}(?:(?:\.\d{3})+,\d+|(?:\.\d{3}){2,})(?![\d,])")
DECIMAL_COMMA = re.compile(r"(?<![\d.,])(\d+),(\d{1,2})(?=\s?(?:%|percent|million|billion|mio|mrd|mn|bn)(?!\w))", re.I)
# "391,0 Milliarden", "391.035 Millionen", "391 035 millions de dollars"
FOREIGN = re.compile(
    r"(?<![\d.,])(?P<digits>\d{1,3}(?:[. ]\d{3}){0,4}(?:,\d+|\.\d\d?)?)\s"
    r"(?:(?P<million>Millionen|Mio\.?|millions\sd['’e]|millones)|(?P<billion>Milliarden|milliards?))(?!\w)"
)
SPACED = re.compile(
    r"(?<![\d.,])\d{1,3}(?: \d{3})+(?=[.,]\d|\s?(?:million|billion|dollars|USD|employees)\b)"
    r"|(?<=[$€£])\s?\d{1,3}(?: \d{3})+\b"
    r"|^\d{1,3}(?: \d{3})+$"
)
SCIENTIFIC = re.compile(
    r"(?<![\w.,])(\d+(?:\.\d+)?)(?:e\+?(\d{1,2})|\s?[x×*]\s?10\s?(?:\^|\*\*)\s?\{?(\d{1,2})\}?)(?!\w)", re.I
)


# ¼ and its like, which may follow digits: "$5¼ million".
VULGAR = re.compile(r"(?:(?<!\d)(?P<whole>\d+))?\s?(?P<part>[¼½¾⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞])(?P<of>\s+of\b)?")
UNIT_FIRST = re.compile(
    r"(?<=\d)\s(USD|US dollars|dollars|EUR|euros?|GBP)\s(?:in\s)?(thousand|million|billion|trillion)s?\b", re.I
)
TOGETHER = re.compile(rf"\b({WHOLE}) years?,? (?:and )?({WHOLE}) months?\b", re.I)
# "one billion, two hundred million", "318 million and 600 thousand"
IN_STEPS = re.compile(
    r"(?<![\d.,])(?P<first>\d{1,3}) (?:(?P<scale>billion),? (?:and )?(?P<second>\d{1,3}) million"
    r"(?:,? (?:and )?(?P<third>\d{1,3})(?: thousand|,000))?)\b"
)
# "186.0 MBoe/d" is 186.0 thousand barrels a day.
OF_ENERGY = re.compile(r"(?<=\d)\s?(MM|M|B|T)(?=(?:[Bb]oe|[Bb]bls?|cfe?|Btu)\b)")
ENERGY = {"M": "thousand", "MM": "million", "B": "billion", "T": "trillion"}


def without_long_runs(text: str) -> str:
    """A text with what is between the ends of a long run left out, but for that lines and paragraphs end in it."""
    return RUN.sub(shortened, text)


def shortened(run: re.Match) -> str:
    breaks = min(run[0].count("\n", KEPT_OF_RUN, -KEPT_OF_RUN), 2)
    return run[0][:KEPT_OF_RUN] + "\n" * breaks + run[0][-KEPT_OF_RUN:]


def vulgar(match: re.Match) -> str:
    if len(match["whole"] or "") > MOST_DIGITS:
        return match[0]
    part = unicodedata.numeric(match["part"])
    if match["of"] and not match["whole"]:
        return f"{100 * part:.0f} percent of"
    return f"{int(match['whole'] or 0) + part:.4g}{match['of'] or ''}"


def in_one_scale(match: re.Match) -> str:
    """ "4 billion 318 million 600 thousand" as 4.318600 billion."""
    steps = [match["second"], *([match["third"]] if match["third"] else [])]
    return f"{match['first']}.{''.join(step.zfill(3) for step in steps)} {match['scale']}"


def clean(text: str) -> str:
    """Typographic signs as ASCII: dashes, spaces, full-width forms; markup and raised numbers removed."""
    if not text.isascii():
        text = text.translate(FULL_WIDTH)
        text = POWER.sub(lambda match: "^" + match[0].translate(str.maketrans(SUPERSCRIPTS, "0123456789")), text)
    text = ENTITY.sub(lambda match: html.unescape(match[0]), text)
    for pattern, replacement in _MARKS:
        text = pattern.sub(replacement, text)
    return text


@lru_cache(maxsize=16_384)  # each reader of a sentence asks for it
def plain(text: str) -> str:
    """Rewrite a text; see the module."""
    text = SCIENTIFIC.sub(powered, VULGAR.sub(vulgar, clean(text)))
    text = OF_ENERGY.sub(lambda match: f" {ENERGY[match[1]]} ", text)
    text = FOREIGN.sub(in_english, text)
    text = EUROPEAN.sub(lambda match: match[0].translate(str.maketrans(".,", ",.")), text)
    text = DECIMAL_COMMA.sub(r"\1.\2", text)
    text = re.sub(r"\b(\d+) dollars and (\d\d?) cents\b", lambda m: f"{m[1]}.{int(m[2]):02} dollars", text)
    text = UNIT_FIRST.sub(r" \2 \1", text)
    text = SPACED.sub(lambda match: match[0].strip().replace(" ", ","), text)
    text = re.sub(rf"\b({_WORD}|{WHOLE}) and a half\b", lambda m: f"{value_of(m[1])}.5", text, flags=re.I)
    text = re.sub(rf"\b({_WORD}|{WHOLE}) and a quarter\b", lambda m: f"{value_of(m[1])}.25", text, flags=re.I)
    text = re.sub(r"\b(?:a|one)\shalf\s(?=million|billion)|\bhalf\sa\s(?=million|billion)", "0.5 ", text, flags=re.I)
    text = FRACTION.sub(as_percent, ROUGHLY.sub("", text))
    text = re.sub(rf"\b(?:one|1) (?:in|out of) ({_WORD}|{WHOLE})\b", one_in, text)
    text = re.sub(r"\btwice\b", "2 times", re.sub(r"\ba dozen\b", "12", text))
    text = SPELLED.sub(lambda match: in_digits(match, text), text)
    text = IN_STEPS.sub(in_one_scale, text)
    text = TOGETHER.sub(lambda match: f"{12 * int(match[1]) + int(match[2])} months", text)
    text = re.sub(r"(?<![\w-])an?\s(?=(?:million|billion|trillion)\b)", "1 ", text, flags=re.I)
    text = re.sub(
        r"(?<!almost )(?<!nearly )(?<!more than )(?<!about )\b(?:doubled|tripled|quadrupled)\b",
        lambda m: f"increased {MULTIPLES[m[0].lower()]} percent",
        text,
    )
    return re.sub(r"\bhalved\b", "decreased 50 percent", text)


def in_english(match: re.Match) -> str:
    """A German, French or Spanish number of millions or billions: its comma is a decimal point."""
    digits = match["digits"]
    if match["billion"] and "," not in digits:
        return f"{digits} billion"  # of a thousand billions nobody writes: "391.035 Milliarden"
    digits = re.sub(r"[. ](?=\d{3})", "", digits).replace(",", ".")
    return f"{digits} {'million' if match['million'] else 'billion'}"


def value_of(word: str) -> int:
    return int(word) if word.isdigit() else WORD_VALUES[word.lower()]


def one_in(match: re.Match) -> str:
    whole = value_of(match[1])
    return f"{100 / whole:.0f} percent" if whole else match[0]


def powered(match: re.Match) -> str:
    power = int(match[2] or match[3])
    return f"{match[1]} {POWERS[power]}" if power in POWERS else f"{float(match[1]) * 10**power:.0f}"


def as_percent(match: re.Match) -> str:
    """ "one third of" as 33 percent, to the percent: more is not said."""
    if match["point"]:
        return f"{1 / PARTS[match['point'].lower()]} "
    if match["half"]:
        return "50 percent"
    if match["top"]:
        top, bottom = int(match["top"]), int(match["bottom"])
    else:
        top = 1 if match["count"].lower() in ("a", "an") else value_of(match["count"])
        bottom = PARTS[match["part"].lower()]
    if top > bottom:
        return match[0]  # "six quarters"
    return f"{round(100 * top / bottom)} percent"


def in_digits(match: re.Match, text: str) -> str:
    """A spelled number that counts something or has a unit; "one of the largest" and "phase two" stay words."""
    words, tail = match[0].lower(), text[match.end() :]
    is_whole = text.strip(" .").lower() == words
    counts = bool((ONE_THING if words == "one" else IS_COUNT).match(tail))
    leads = match.start() == 0 and bool(re.match(r"\s?[,.:;(-]", tail))
    if not (
        is_whole
        or counts
        or leads
        or re.match(r"\s\(\d", tail)
        or UNIT_AFTER.match(tail)
        or "hundred" in words
        or "thousand" in words
    ):
        return match[0]
    whole, _, decimals = words.partition(" point ")
    total = part = 0
    for word in re.split(r"[\s-]+", whole):
        if word == "hundred":
            part *= 100
        elif word == "thousand":
            total, part = total + part * 1000, 0
        elif word != "and":
            part += WORD_VALUES[word]
    if total + part >= 10**MOST_DIGITS:
        return match[0]  # "hundred hundred hundred …"
    digits = "".join(str(WORD_VALUES[word]) for word in decimals.split())
    return f"{total + part:,}" + (f".{digits}" if digits else "")
