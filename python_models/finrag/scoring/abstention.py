"""Whether an answer says that the information is not there, instead of giving it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from finrag.scoring.amounts import parse_amounts
from finrag.scoring.text import sentences

# An abstention comes first; "Data limitations" at the end of an answer is a caveat.
LEAD_SENTENCES = 2
# What may follow a refusal and leave it one: where to look, what the context has instead. Of the
# 23 published answers the refusals hold up to 145 such words, those that go on to another answer 174 and more.
MAX_OTHER_WORDS = 150

THING = (
    r"(?:information|data|context|figures?|details?|definitions?|breakdown|explanation|reference"
    r"|disclosures?|mention|evidence|discussion|filings?|excerpts?|10-K)"
)
SOURCE = (
    r"(?:context|filings?|documents?|excerpts?|sections?|text|passages?|corpus|warehouse|data|information|sources?"
    r"|evidence|sentences?|material|10-Ks?)"
)
TO_ANSWER = r"(?:answer|provide|determine|find|locate|have|identify|access|confirm|tell|see|know|say|give)"
# Whoever does not disclose, there is no answer; but "the amounts do not include taxes" and "the software is not
# available in every country" are statements of filings, so those verbs want a text as their subject or place.
TO_TELL = (
    r"(?:disclose|report|mention|state|specify|quantify|discuss|address|define|describe|name|identify"
    r"|break\s(?:out|down)|indicate|reference|list|itemi[sz]e|enumerate|explain|detail|clarify)"
)
TO_HOLD = r"(?:provide|hold|contain|include|give|cover|offer|say|appear|have)"
TOLD = (
    r"(?:disclosed|reported|stated|specified|mentioned|provided|given|found|defined|discussed|addressed|quantified"
    r"|itemi[sz]ed|detailed|broken\s(?:out|down))"
)
HELD = r"(?:available|included|present|contained|covered)"
REFUSAL = re.compile(
    rf"""
    \bI\s(?:am\s|was\s)?(?:\w+ly\s)?
      (?:cannot|can\s?not|can['’]t|could\snot|couldn['’]t|do\snot|don['’]t|did\snot|unable|not\sable)\b[^.;]{{0,40}}?\b{TO_ANSWER}\b
  | (?:^|[.;:]\s)\W*(?:unable|not\s(?:possible|able))\sto\s{TO_ANSWER}\b | \bit(?:\sis
      |['’]s)\snot\spossible\sto\s{TO_ANSWER}\b
  | \b(?:is|are|was|were|been|be)(?:\snot|n['’]t)\s(?:\w+\s){{0,2}}?{TOLD}\b
  | \b(?:is|are|was|were)(?:\snot|n['’]t)\s(?:currently\s|explicitly\s|directly\s|publicly\s)?{HELD}
      (?:\s(?:either|here|anywhere))?(?:\W*$|[.;]|\s(?:in|from|within)\s(?:the|this|these|your|my)\s(?:\w+\s){{0,2}}?{SOURCE}\b)
  | \b(?:does|do|did)(?:\snot|n['’]t)\s(?:\w+\s){{0,2}}?{TO_TELL}\b
  | \b{SOURCE}\b[^.;]{{0,60}}?\b(?:does|do|did)(?:\snot|n['’]t)\s(?:\w+\s){{0,2}}?{TO_HOLD}\b
  | \b(?:does|do|did)(?:\snot|n['’]t)\s{TO_HOLD}\s(?:any|enough|sufficient|the)\s{THING}\b
  | \b(?:no|insufficient|not\senough|(?:is|are)n['’]t\senough)\s(?!material|more|longer)(?:\w+[\s-]){{0,3}}?{THING}\b
  | (?:^\W*|\b(?:it|this|that|answer|question|figure|information|value|amount)\s(?:\w+\s){{0,6}}?)
      (?:cannot|can\snot|could\snot|can['’]t)\sbe\s(?:\w+\s)?(?:determined|answered|found|established|inferred|located)\b
  | \b(?:so|therefore|thus|hence|consequently),?\s[^.;]{{0,80}}?
      (?:cannot|can\snot|could\snot|can['’]t|(?:is|are)\snot\spossible\sto)\s(?:be\s)?(?:\w+ly\s)?(?:determine|answer|found|find|establish|infer|locate|comput|calculat|deriv|ascertain|verif)\w*
  | \b{SOURCE}\b[^.;]{{0,40}}?\b(?:does|do|did)(?:\snot|n['’]t)\s(?:go|extend|reach|run)\b
  | \b(?:is|are|was|were)\s(?:absent|missing|omitted)\sfrom\s(?:the|this|these)\s(?:\w+\s){{0,2}}?{SOURCE}\b
  | \b(?:is|are|was|were)(?:\snot|n['’]t)\s(?:anywhere\s)?(?:in|within|part\sof)
      \s(?:the|this|these)\s(?:\w+\s){{0,2}}?{SOURCE}\b
  | \bno\s(?:\w+\s)?(?:answer|figure|value|number|conclusion|information)
      \scan\sbe\s(?:determined|derived|given|found|drawn|inferred|provided|calculated)\b
  | ^\W*not\sin\s(?:the\s)?{SOURCE}\b
  | \b(?:so|therefore|thus|hence)\b[^.;]{{0,80}}?\b(?:is|are|remains?)
      \s(?:unknown|unclear|unavailable|undetermined|not\sknown)\b
  | \b{SOURCE}\s(?:\w+ly\s)?(?:gives?|provides?|contains?|offers?|states?|reports?|lists?|discloses?|mentions?|shows?
      |ha(?:s|ve))\sno\b
  | \bno\sway\sto\s{TO_ANSWER}\b | \bnot\ssomething\s(?:that\s)?(?:the|this|these)\s{SOURCE}\b
  | \bwe\s(?:cannot|can\snot|can['’]t|are\s(?:unable|not\sable)\sto)\s{TO_ANSWER}\s(?:this|that|it|the\sanswer)\b
  | \bneither\b[^.;]{{0,80}}\bnor\b[^.;]{{0,60}}
      \b(?:mention|disclose|report|state|provide|give|contain|address|cover)s?\b
  | \bwe\slack\s(?:\w+\s)?{THING}\b
  | \b{SOURCE}\sonly\s(?:covers?|goes|runs?|extends?|spans?)\b
  | \b(?:has|have|had)(?:\snot|n['’]t)\s(?:\w+\s)?(?:disclosed|reported|stated|specified|mentioned)\b
  | \b(?:cannot|can\snot|could\snot|can['’]t)\sbe\s(?:found|determined|located|answered)\s(?:in|from|with|using|based)\b
  | \b(?:does|do|did)(?:\snot|n['’]t)\sappear\s(?:anywhere\s)?in\s(?:the|this|these)\s(?:\w+\s){{0,2}}?{SOURCE}\b
  | \b(?:is|was)\s(?:unclear|not\sclear|unknown)\s(?:from|based|in)\b
  | \b(?:information|data|figures?|details?)\s(?:is|are|was|were)\s(?:missing|absent|lacking)\b
  | \b{SOURCE}\s(?:lacks?|(?:is|are)\s(?:silent|missing|absent)|(?:says?|states?|contains?|mentions?
      |includes?)\snothing)\b
  | \b(?:makes?|made|find|found)\sno\s(?:reference|mention)\b | \b(?:says?|states?|said)\snothing\b
      | \bnothing\sin\s(?:the|these|this)\s(?:\w+\s){{0,2}}?{SOURCE}\b
  | \bno\ssuch\s(?:\w+\s){{0,3}}?(?:is|are|was|were)\s(?:\w+\s)?(?:described|mentioned|disclosed|discussed
      |reported|given|found)\b
  | ^\W*(?:I\s(?:do\snot|don['’]t)\sknow|no\s(?:data|answer|information|relevant\s\w+)\b(?=\W*$|\s(?:found
      |available|given|provided)))
  | \b(?:none|neither|no)\s(?:\w+\s){{0,2}}?(?:filing|document|excerpt|10-K)s?\s(?:is|was|are|were)\savailable\b
  | ^\W*(?:not\s(?:{TOLD}|available|applicable|answerable)|undisclosed|unanswerable|insufficient\s\w+
         |information\snot\s\w+|data\s(?:is\s)?(?:not\s\w+|unavailable)|(?:n/?a|none|null|unknown|no\sanswer)(?=\W*$|[.;]))
  | ^\s*[-–—]\s*$
  | \b(?:is|are)\s(?:unavailable\b|undisclosed\b|outside\s(?:of\s)?(?:the\s)?(?:{SOURCE}|coverage|scope)\b)
  | \b(?:none|neither)\sof\s(?:the|these)\s(?:\w+\s){{0,2}}?{SOURCE}\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
LABEL = re.compile(r"^\W*(?:(?:final|short)\s)?(?:answer|response)\W*:\W*", re.I)
CONTRAST = re.compile(r"\b(?:but|however|although|though|while|whereas|nevertheless|instead)\b", re.I)
# "…; it has one segment" answers, "…; it reports only the total" says what stands there instead.
STATES = re.compile(
    r"\W*(?:it|they|the company|the group) (?:has|have|had|is|are|was|were|operates?|uses?|manages?)\b", re.I
)
CONTEXT = re.compile(
    rf"\b(?:narrative |provided |available )(?:{SOURCE}|context)\b|\bquestion\b|\bI have access\b"
    rf"|\b(?:the|these|this) (?:\w+ ){{0,2}}?{SOURCE} (?:\w+ )?(?:mention|discuss|cover|contain|include"
    rf"|describe|only|reference|refer)",
    re.I,
)
HELP = re.compile(
    r"\b(?:to (?:answer|obtain|find|determine)|I (?:would|can|could) (?:only |need|help|provide)"
    r"|you (?:would|may|could|can|should)|please|if you|consult|refer to|check"
    rf"|the (?:available|provided|retrieved) {SOURCE})",
    re.I,
)


@dataclass(frozen=True)
class Abstention:
    """kind: full (only says it is not there), partial (says so, then answers something), none. trigger: the phrase."""

    kind: str
    trigger: str | None = None

    @property
    def is_abstention(self) -> bool:
        """What a no_answer question wants. A partial one that goes on to give a figure is no abstention."""
        return self.kind == "full"


def abstention(text: str | None) -> Abstention:
    """Read an answer. An empty one is no abstention: it is a failed answer.

    The refusal has to stand in the first LEAD_SENTENCES sentences. It is partial if any amount is given, if its own
    sentence goes on after but or however without a refusal, or if more than MAX_OTHER_WORDS words follow that neither
    refuse nor offer help.
    """
    text = re.sub(r"(?<=[A-Z])_(?=[A-Z])", " ", LABEL.sub("", text or ""))  # "Answer: NOT_IN_CONTEXT"
    found = sentences(text)
    lead = [sentence for sentence in found if len(sentence.split()) > 3 or REFUSAL.search(sentence)][:LEAD_SENTENCES]
    trigger = next((match for sentence in lead if (match := REFUSAL.search(sentence))), None)
    if trigger is None:
        return Abstention("none")
    others = [sentence for sentence in found if not REFUSAL.search(sentence)]
    says_more = any(goes_on(sentence) for sentence in lead if REFUSAL.search(sentence))
    words = sum(len(sentence.split()) for sentence in others if not HELP.search(sentence))
    has_amount = any(is_figure(sentence) for sentence in found)
    kind = "partial" if has_amount or says_more or words > MAX_OTHER_WORDS else "full"
    return Abstention(kind, trigger[0].strip())


def goes_on(sentence: str) -> bool:
    """Whether a refusing sentence turns to an answer: "did not disclose it in 2008 but reported it in 2009"."""
    if any(STATES.match(clause) and not REFUSAL.search(clause) for clause in sentence.split(";")[1:]):
        return True
    for match in CONTRAST.finditer(sentence):
        before, rest = sentence[: match.start()], sentence[match.end() :]
        if not before.strip():  # "Although X is not disclosed, Y rose."
            before, _, rest = rest.partition(",")
        other = rest if REFUSAL.search(before) else before
        if len(other.split()) > 3 and not any(words.search(other) for words in (REFUSAL, HELP, CONTEXT)):
            return True
    return False


def is_figure(sentence: str) -> bool:
    """Whether a sentence gives an amount that says what it is: money, a percentage, a count with thousands."""
    return any(not amount.is_bare or abs(amount.value) >= 1000 for amount in parse_amounts(sentence))
