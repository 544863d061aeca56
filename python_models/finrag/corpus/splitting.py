"""Sentences of a filing's item: layout rules of our own around the nupunkt sentence splitter.

Filing-level sources (edgar-crawler, EDGAR-CORPUS) hold one long text per item. Its line breaks carry meaning that a
sentence splitter cannot see, so the work is shared:

1. layout decides which lines belong together (a *block*): headings with the text under them, hard-wrapped prose
   with itself, each table row and each paragraph alone;
2. nupunkt (Punkt with a model learned from legal and financial text) splits inside a block;
3. a few ends it proposes are refused: after item headings, titles, case names, number signs, and before lower case.

Only whitespace, control characters and rules ("-----") change: every letter and digit of the item comes out again,
in order. The figures behind the choice are printed by ``benchmarks/splitters.py``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING

from finrag.versions import code_version

if TYPE_CHECKING:
    from nupunkt import PunktSentenceTokenizer

SpanTokenizer = Callable[[str], Iterable[tuple[int, int]]]

SPLITTER_VERSION = f"nupunkt-{version('nupunkt')}+rules-{code_version(__name__)}"
"""Names everything that decides the output: stored sentences are split anew with another library or another rule."""

# A line of this many words is a paragraph, a list item or a table row, and ends its block; a shorter one without a
# closing period is a heading, a cell or a page header. Cells and headings stay together up to the next paragraph, which
# is a block of its own: a heading is a sentence of its own kind.
PARAGRAPH_WORDS = 9
# A shorter line is a paragraph too where it ends like a sentence: "Revenue increased 5 %."
SENTENCE_WORDS = 3

# Ends a row of a table where the reader of a layout knows it (a record separator of ASCII): what stands on either side
# of it is split by itself.
END_OF_ROW = "\x1e"

# Text filings of the 1990s wrap at 60 to 80 columns. An item is taken as hard-wrapped when hardly any of its text
# stands in longer lines and prose lines often run on into a line that starts in lower case.
WRAP_COLUMNS = 100
LONG_LINE_SHARE = 0.1
RUN_ON_SHARE = 0.25
WRAPPED_MIN_LINES = 3
# Below this share of the longest line a hard-wrapped line stopped of its own accord.
SHORT_LINE_SHARE = 0.6

# Alphabetic abbreviations of 10-K prose. They replace the model's own single-word entries: these were learned from
# scanned text and hold ordinary words ("stock", "sec", "bank"), after which the library would see no sentence end.
# Its dotted entries ("u.s", "n.a", "ph.d") are kept. Words in their own right ("ill", "art", "mass") are left out.
ABBREVIATIONS = """
    assn assoc bancorp bhd bros cia co corp cos inc intl ltd ltda mfg natl pte pty sdn
    atty capt col dr esq gen gov hon jr lt maj messrs mr mrs ms prof rep rev sen sgt sr st
    al app approx bankr cf ch cir dept dist div et etc ex exh fig figs ibid no nos para pp reg regs rel stat subch
    supp v viz vol vols vs
    ariz ave blvd cal calif colo conn del fla ft ga hwy kan ky md mich minn mo mont mt nev okla pa rd sq tenn tex
    univ vt wis wyo
    jan feb mar apr jun jul aug sept oct nov dec
"""

UNSEEN = "\u200b\u200c\u200d\u2060\ufeff\u00ad"
_DROPPED = re.compile(f"[{UNSEEN}]")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1b\x7f]")
_SURROGATE = re.compile("[\ud800-\udfff]")
# Rules of tables and signatures; one or two characters may be a bullet or an empty cell.
_RULE = re.compile(r"[\W_]{3,}")
_LEADERS = re.compile(r"\.{4,}|(?:\. ){3,}\.?")
_TERMINAL = re.compile(r"[.!?][\"'”’)\]]*$")
# Not a sentence end although the line ends in a period: "ITEM 7.", "Note 12.", "(a).", "3."
_LABEL = re.compile(
    r"(?:item|note|part|exhibit)\s+(?:\d{1,2}[a-c]?|[ivx]{1,5})\.|\(?(?:1?\d|[a-z]|[ivx]{1,5})\)?\.", re.IGNORECASE
)
# No heading stops here: "The", "Revenue of", "Apple,", "Basis of Presentation —", a bullet alone on its line.
_OPEN_END = re.compile(
    r"(?:(?:^|\s)(?:the|a|an|and|or|of|in|to|for|on|by|with|from|as|at|our|its|we|is|are|was|were|that|which|see)"
    r"|[,(&–—-]|[A-Z]\.|\b(?:No|Inc|Corp|Co|Ltd|Mr|Ms|Dr)\.|^[^\w]*(?:\w{1,2}[.)])?)$",
    re.IGNORECASE,
)
# No line stops here of its own accord: "accepted by the", "in 1997 from $5 million in".
_NEVER_LAST_WORDS = frozenset("the a an of in to for on by with from as at our its see See".split())
_LIST_ITEM = re.compile(
    r"(?:[•●▪■◦○·*–—-]|\((?:[a-z]|\d{1,2}|[ivx]{1,5})\)|(?:\d{1,2}|[a-z]|[ivx]{1,5})\.)\s", re.IGNORECASE
)
_GAP = re.compile(r"\S {3,}\S|\t")
_NUMERIC = re.compile(r"[$(]*[\d,.]*\d[\d,.]*[)%]*|[$%)—–-]+")

# Ends the library proposes and we refuse. A whole line so far, such as "ITEM 1A.", "PART I. ITEM 2.", "Note 4.":
_HEADING = re.compile(
    r"(?:part\s+[ivx]{1,4}[.,]?\s*[-–—]?\s*)?(?:item|note)s?\s+\d{1,2}[a-c]?\.|part\s+[ivx]{1,4}\.", re.IGNORECASE
)
# A title, a case name, a number sign, a country that a mark leads to what is called by it: "non-U.S.", "(“U.S. GAAP”)".
_NEVER_LAST = re.compile(
    r"(?:\b(?:Nos?|vs?|Mr|Mrs|Ms|Messrs|Dr|Lt|Gen|Gov|Sen|Prof)|(?:\w-|[^\w\s.-])(?:[A-Z]\.)+[A-Z])\.$"
)
# What stands before a number or a section: "Sec. 10", "p. 7", "18 U.S.C. Section 1350":
_NEVER_BEFORE_NUMBER = re.compile(r"\b(?:Secs?|Arts?|Vols?|Figs?|Exs?|Reg|Rev|Proc|Stat|pp?|U\.S\.C|C\.F\.R)\.$")
_NUMBER = re.compile(r"[\d(#§]|Section\b|Part\b")
# What stands before a name of capitals: "the U.S. FDA", "U.S. DoD".
_COUNTRIES = ("U.S.", "U.K.", "E.U.")
_CAPITALS = re.compile(r"[A-Z][A-Za-z]*[A-Z]")


def split_sentences(item_text: str) -> list[str]:
    """Split the text of one item into sentences, in order.

    ``item_text`` is an item as the filing-level sources hold it: paragraphs, headings and table rows on lines of
    their own, or prose hard-wrapped at a fixed width. Returns sentences with single spaces between words, none of
    them empty or of punctuation alone; an item without text gives an empty list. Their letters and digits together
    are those of ``item_text``, in order. Time and memory grow linearly with the text. Never raises on a string.
    """
    span_tokenize = _tokenizer().span_tokenize
    return [sentence for part in item_text.split(END_OF_ROW) for sentence in split_with(span_tokenize, part)]


def split_with(span_tokenize: SpanTokenizer, item_text: str) -> list[str]:
    """Do as ``split_sentences`` with another library inside, which is how the libraries are compared.

    ``span_tokenize`` gets one block of ``layout_blocks`` and yields the (start, end) of its sentences in order, in
    characters, ends exclusive and without the white space around them.
    """
    sentences = []
    for block in layout_blocks(item_text):
        sentences.extend(
            sentence for sentence in _block_sentences(block, span_tokenize) if any(map(str.isalnum, sentence))
        )
    return sentences


def layout_blocks(item_text: str) -> Iterator[str]:
    """Group the lines of an item into stretches of text inside which sentences are to be looked for.

    Yields each block with its lines, single-spaced, separated by line breaks; blank lines and ruled lines are gone.
    """
    lines = _cleaned(item_text).split("\n")
    is_wrapped = _is_wrapped(lines)
    block: list[str] = []  # its lines, all but the first with the line break before them
    is_closed = False
    for unit in _unwrapped(lines) if is_wrapped else lines:
        words = unit.split()
        line = " ".join(words)
        if not words or _RULE.fullmatch(line):
            continue
        runs_on = bool(block) and line[0].islower() and block[-1][-1] not in ".!?:;"
        # A page break may cut a sentence: its second half starts in lower case, or its first ends in "of the".
        is_over = is_closed and not (block[-1][-1].islower() and _is_open(block[-1], line))
        if block and not runs_on and (is_over or _is_under_heading(block[-1].strip(), line)):
            yield "".join(block)
            block = []
        separator = "" if not block or (runs_on and _is_cut_compound(block[-1], line)) else "\n"
        block.append(separator + line)
        if _LABEL.fullmatch(line):
            is_closed = False
        elif is_wrapped and is_table_row(unit):
            is_closed = not line.replace(" ", "").isdigit()  # the years over the columns stay with the first row
        else:
            is_closed = len(words) >= PARAGRAPH_WORDS or _TERMINAL.search(line) is not None
    if block:
        yield "".join(block)


def _is_open(before: str, line: str) -> bool:
    """Whether a long line goes on in the next, which is no page header or number, list item or row."""
    if before.rsplit(" ", 1)[-1] not in _NEVER_LAST_WORDS or not any(map(str.isalpha, line)):
        return False
    return not (line[:20].isupper() or _LIST_ITEM.match(line) or is_table_row(line))


def _is_under_heading(before: str, line: str) -> bool:
    """Whether ``line`` is a paragraph, and the short line before it a heading or a cell rather than its first words."""
    words = line.count(" ") + 1
    is_paragraph = words >= PARAGRAPH_WORDS or (words >= SENTENCE_WORDS and _TERMINAL.search(line) is not None)
    # the years over the columns stay with the first row
    is_row = is_table_row(line) or _NUMERIC.fullmatch(line.rsplit(" ", 1)[-1]) is not None
    is_opening = not line[0].islower() and any(map(str.isalpha, line)) and not is_row
    return is_paragraph and is_opening and _LABEL.fullmatch(before) is None and _OPEN_END.search(before) is None


def _cleaned(text: str) -> str:
    # NUL ends a string in some readers, and a lone surrogate cannot be written as UTF-8 at all.
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = _SURROGATE.sub("\ufffd", _CONTROL.sub(" ", _DROPPED.sub("", text)))
    return _LEADERS.sub(" ... ", text) if "...." in text or ". . ." in text else text


def _is_cut_compound(before: str, after: str) -> bool:
    """Whether "long-" and "term debt" close up; "short-" and "and long-term debt" keep their space."""
    return before[-1:] == "-" and before[-2:-1].isalpha() and not after.startswith(("and ", "or ", "to "))


def paragraphs(text: str) -> list[str]:
    """Text that was set by lines: hard-wrapped paragraphs put together, headings and rows of tables alone."""
    lines = _cleaned(text).split("\n")
    return [line for line in (_unwrapped(lines) if _is_wrapped(lines) else lines) if line.strip()]


def _is_wrapped(lines: list[str]) -> bool:
    total = long = prose = run_on = 0
    previous_open = False
    for line in lines:
        stripped = line.strip()
        if not stripped:
            previous_open = False
            continue
        total += len(stripped)
        if len(stripped) > WRAP_COLUMNS:
            long += len(stripped)
        if previous_open:
            prose += 1
            run_on += stripped[0].islower()
        previous_open = len(stripped) >= WRAP_COLUMNS // 3 and len(stripped.split()) >= PARAGRAPH_WORDS // 2
    return prose >= WRAPPED_MIN_LINES and long <= LONG_LINE_SHARE * total and run_on >= RUN_ON_SHARE * prose


def _unwrapped(lines: list[str]) -> Iterator[str]:
    """Join the lines of each paragraph of hard-wrapped text; headings and table rows stay alone."""
    width = max((len(line.rstrip()) for line in lines if len(line) <= WRAP_COLUMNS), default=WRAP_COLUMNS)
    margin = SHORT_LINE_SHARE * width
    paragraph: list[str] = []
    previous = ""
    for line in lines:
        text = line.strip()
        if _RULE.fullmatch(text):
            text = ""
        is_row = is_table_row(text)
        if paragraph and (not text or is_row or _starts_paragraph(line, previous, margin)):
            yield "".join(paragraph)
            paragraph = []
        if text:
            is_joined = not paragraph or (text[0].islower() and _is_cut_compound(paragraph[-1], text))
            paragraph.append(text if is_joined else " " + text)
        if is_row:
            yield text
            paragraph = []
        previous = line
    if paragraph:
        yield "".join(paragraph)


def _starts_paragraph(line: str, previous: str, margin: float) -> bool:
    text, before = line.strip(), previous.strip()
    if text[0].islower():
        return False
    stops_short = len(previous.rstrip()) < margin  # so does the last line of a paragraph, or a heading
    indented = len(line) - len(line.lstrip()) > len(previous) - len(previous.lstrip()) + 1
    closed = before[-1:] in ".!?:;" or _TERMINAL.search(before) is not None
    is_heading = closed and len(line.rstrip()) < margin and _TERMINAL.search(text) is None
    return stops_short or indented or is_heading or (closed and _LIST_ITEM.match(text) is not None)


def is_table_row(text: str) -> bool:
    if _GAP.search(text) or " ... " in text:
        return True
    words = text.split()
    numbers = sum(_NUMERIC.fullmatch(word) is not None for word in words)
    return len(words) > 2 and 2 * numbers >= len(words) and text[-1] not in ".,;"


@cache
def _tokenizer() -> PunktSentenceTokenizer:
    from nupunkt.models import load_default_model

    tokenizer = load_default_model()  # an instance of its own: the one behind nupunkt.load() is shared
    for abbreviation in tokenizer.abbreviations:
        if abbreviation.isalnum() or any(map(str.isdigit, abbreviation)):
            tokenizer.remove_abbreviation(abbreviation)
    tokenizer.add_abbreviations(ABBREVIATIONS.split())
    return tokenizer


def _block_sentences(block: str, span_tokenize: SpanTokenizer) -> Iterator[str]:
    start = end = 0
    if "." in block or "!" in block or "?" in block:
        for first, last in span_tokenize(block):
            if end and _is_sentence_end(block, start, end, first):
                yield " ".join(block[start:first].split())
                start = first
            end = last
    yield " ".join(block[start:].split())


def _is_sentence_end(block: str, start: int, end: int, following: int) -> bool:
    """Whether the end the library sees at ``end`` holds, the next sentence beginning at ``following``."""
    # No sentence starts in lower case, names such as "eBay" apart.
    if block[following].islower() and not block[following + 1 : following + 2].isupper():
        return False
    tail = block[max(start, end - 24) : end]
    if _NEVER_LAST.search(tail) or (_NEVER_BEFORE_NUMBER.search(tail) and _NUMBER.match(block, following)):
        return False
    if tail.endswith(_COUNTRIES) and _CAPITALS.match(block, following):
        return False
    return _HEADING.fullmatch(block, max(start, block.rfind("\n", start, end) + 1), end) is None
