"""Whether an answer says that the information is not there, instead of giving it."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from functools import lru_cache

from finrag.text.amounts import parse_amounts
from finrag.text.replies import final_answer
from finrag.text.vocabulary import BE, CONTRASTS, DO, HAVE
from finrag.text.words import content_words, sentences, unwrapped

# An abstention comes first; "Data limitations" at the end of an answer is a caveat.
LEAD_SENTENCES = 2
# What may follow a refusal and leave it one: where to look, what the context has instead. Of the
# 23 published answers the refusals hold up to 145 such words, those that go on to another answer 174 and more.
MAX_OTHER_WORDS = 150

THING = (
    r"(?:information(?!\s(?:secur|tech|syst))|info|data(?!\s(?:breach|cent|protect|priva|loss|secur|incident|theft))|context|figures?|details?|definitions?|breakdown|explanation|reference"
    r"|disclosures?|mention|evidence|discussion|filings?|excerpts?|10-K)"
)
SOURCE = (
    r"(?:context|filings?|documents?|excerpts?|extracts?|chunks?|snippets?|sections?|text|passages?|corpus|warehouse"
    r"|data|information|sources?|evidence|sentences?|materials|10-Ks?"
    r"|material(?=\s(?:provided|supplied|given|available|at\shand|here|does|did|has|is|contains?|says|includes?|only)\b))"
)
# What only whoever answers calls what was given to read; a filing hardly speaks of it.
GIVEN = r"(?:provided|supplied|given|retrieved|available|shared|quoted|shown|at\shand|in\sfront\sof\sme|here)"
TEXTS = (
    r"(?:pages?|texts?|documents?|materials?|sources?|sections?|information|data|filings?|records?|evidence|content"
    r"|paragraphs?|extracts?|portions?|parts?|sentences?)"
)
YOU_GAVE = r"you\s(?:gave|provided|shared|pasted|sent|uploaded|attached)"
CONTEXT_GIVEN = (
    r"(?:contexts?(?!\sof)|excerpts?|passages?|chunks?|snippets?|(?:these|those)\s(?:pages?|texts?|extracts?|sections?)"
    rf"|(?!available){GIVEN}\s(?:\w+\s){{0,2}}?{TEXTS}"
    rf"|{TEXTS}\s(?:(?:that|which)\s)?(?:I\s(?:was|have|can|am|do)|I['’](?:m|ve)|{YOU_GAVE}|(?:were\s|was\s)?{GIVEN})"
    rf"|what\s(?:I\s(?:have|was|can)|(?:is|was)\s(?:provided|given|supplied|retrieved)|{YOU_GAVE}))"
)
LACKS = (
    r"(?:no|not|none|nothing|neither|nowhere|cannot|without|missing|absent|lack(?:s|ed|ing)?|omit(?:s|ted)?|silent|empty|blank"
    r"|insufficient|unable|left\sout|leaves?\b[^.;]{0,40}?\b(?:open|unanswered|unclear|unresolved)|redacted|unclear"
    r"|too\s(?:limited|short|narrow|little|thin|vague)|fails?\sto|falls?\sshort|(?:stops?|ends?|breaks?\soff)\s(?:\w+\s)?(?:before|short)"
    r"|cuts?\soff|truncated)"
)
# "The excerpt says that no customer …" and "According to the excerpt no customer …" answer.
SAYS = (
    r"(?:says?|states?|notes?|indicates?|reports?|shows?|explains?|confirms?|describes?|lists?|attributes?|that"
    r"|according)"
)
UNTOLD = r"un(?:mentioned|specified|stated|disclosed|reported|addressed|answered|quantified|named)"
TO_ANSWER = (
    r"(?:answer|provide|determine|find|locate|have|identify|access|confirm|tell|see|know|say|give|verify|establish"
    r"|infer|calculate|compute|derive|state|help|offer|retrieve|extract|comment|ascertain)"
)
# What one says of oneself alone: a supplier that cannot supply is no abstention.
TO_ANSWER_MYSELF = (
    rf"(?:{TO_ANSWER}|supply|report|specify|name|list|quote|describe|compare|assess|respond|produce|point|cite"
    r"|open|browse|view|read|load|search)"
)
STATEMENTS = r"(?:statements?|sheets?)"
NOT = r"(?:\snot|n['’]t)"
THE = r"(?:the|this|these|those|your|my|its|any(?:\sof\sthe)?|[\w&.-]+['’]s)\s(?:[\w-]+\s){0,3}?"

# Whoever does not disclose, there is no answer; but "the amounts do not include taxes" and "the software is not
# available in every country" are statements of filings, so those verbs want a text as their subject or place.
TO_TELL = (
    r"(?:disclose|report|mention|state|specify|quantify|discuss|address|define|describe|name|identify"
    r"|break\s(?:out|down)|indicate|reference|list|itemi[sz]e|enumerate|explain|detail|clarify|say|show|tell|reveal|publish|share|quote|comment|elaborate"
    r"|(?:get|go)\sinto|touch(?:es)?\son|speak\sto)"
)
TO_HOLD = r"(?:provide|hold|contain|include|give|cover|offer|say|appear|have)"
TOLD = (
    r"(?:disclosed|reported|stated|specified|mentioned|provided|given|found|defined|discussed|addressed|quantified"
    r"|itemi[sz]ed|detailed|broken\s(?:out|down)|(?:spelled|set|laid)\sout|supplied|named|identified|listed|published"
    r"|revealed|shown)"
)
FOUND = (
    r"(?:determined|answered|found|established|inferred|located|derived|calculated|confirmed|identified|verified"
    r"|ascertained|resolved|told)"
)
HELD = r"(?:available|included|present|contained|covered)"
# What is called by a name that is looked for, and is no loan or duration.
WORDING = r"(?:term|phrase|expression|wording)(?!\s(?:loan|note|debt|facilit|sheet|deposit|of\b|B\b))"
HARM = r"(?:risk|threat|challenge|issue|hazard|danger|problem|opportunit|obstacle|concern|conflict)"
REFUSAL = re.compile(
    rf"""
    # where one of them may begin; elsewhere the alternatives, which are many, are not tried (2.3 times as fast)
    (?:^|\b(?=\w)|(?=[.;:,–—-]\s|n['’]t))(?:
    # somebody cannot tell
    \bI(?:['’]m|\sam|\swas(?:n['’]t)?)?\s(?:\w+ly\s|afraid\s(?:that\s)?I\s)?
      (?:cannot|can\s?not|can['’]t|could\snot|couldn['’]t|do\snot|don['’]t|did\snot|didn['’]t|unable|not\sable|(?<=n['’]t\s)able)\b
      [^.;]{{0,40}}?\b{TO_ANSWER_MYSELF}\b
  | \b(?:none|neither|nowhere|no|not\s(?:one|any|a\ssingle))\b[^.;]{{0,80}}?\b(?:do|can|could|did|am)\sI\b
  | \b(?:does|do|did|would){NOT}\s(?:allow|let|permit|enable)\s(?:for\s)?
      (?:(?:me|us|one|you|anyone)\s(?:to\s)?{TO_ANSWER_MYSELF}\b
      |(?:an?|any|the|this|that|it)\s(?:[\w-]+\s){{0,5}}?
        (?:answer|response|calculation|determination|conclusion|comparison|to\sbe\s{FOUND})\b)
  | \b(?:answer|response|calculation|comparison|determination|conclusion)s?\b[^.;]{{0,60}}?
      \b(?:(?:is|are|was|were){NOT}\spossible|(?:is|are|was|were)\simpossible)\b
  | \bno\s(?:\w+\s)?(?:answer|response|determination|comparison|calculation)\s(?:is\s)?possible\b
  | \bI\shave\sno\s(?:way|means|basis|access|record)\b | \b(?:out\sof|beyond)\smy\sreach\b
  | \bwe\s(?:cannot|can\snot|can['’]t|are\s(?:unable|not\sable)\sto)\s{TO_ANSWER}\s(?:this|that|it|the\sanswer)\b
  | (?:^|[.;:,]\s)\W*(?:unable|impossible|not\s(?:possible|able)|(?:could|can|did|do){NOT}|cannot|can['’]t)\s(?:to\s)?
      {TO_ANSWER}\b
  | \b(?:it|this|that)(?:\sis\s|['’]s\s|\sis|\swas\s|\swas)(?:not|n['’]t)\s
      (?:\w+\s)?(?:possible\sto\s{TO_ANSWER}|clear|known)\b
  | ^\W*(?:(?:it|this|that|the\sanswer)(?:\s(?:is|remains)|['’]s)\s)?unclear(?=\W*$|\s(?:from|based|in)\b)
  | \b(?:does|do|did){NOT}\smake\s(?:(?:it|this|that|the\s\w+)\s)?clear\b
  | (?:^\W*|\b(?:it|this|that|answer|question|figure|information|value|amount|number|total)\s(?:\w+\s){{0,6}}?)
      (?:cannot|can\snot|could\snot|can['’]t|couldn['’]t)\sbe\s(?:\w+\s)?{FOUND}\b
  | \b(?:so|therefore|thus|hence|consequently),?\s[^.;]{{0,80}}?
      (?:cannot|can\snot|could\snot|can['’]t|(?:is|are)\snot\spossible\sto)\s(?:be\s)?(?:\w+ly\s)?(?:determine|answer|found
      |find|establish|infer|locate|comput|calculat|deriv|ascertain|verif|provid|stat|giv|report)\w*
  | \b(?:cannot|can\snot|could\snot|can['’]t|couldn['’]t)\sbe\s(?:found|determined|located|answered)\s
      (?:in|from|with|using|based)\b
  | \b(?:based\son|from|using|given)\s{THE}{SOURCE}\b[^.;]{{0,100}}?
      \b(?:cannot|can\snot|could\snot|can['’]t|couldn['’]t)\sbe\s(?:\w+ly\s)?{FOUND}\b
  | \bno\s(?:\w+\s)?(?:answer|figure|value|number|conclusion|information)
      \sc(?:an|ould)\sbe\s(?:determined|derived|given|found|located|drawn|inferred|provided|calculated)\b
  | \bno\s(?:way\sto\s{TO_ANSWER}|(?:direct\s)?access)\b | \bunanswerable\b
  | \b{LACKS}\b(?:(?!\b{SAYS}\b)[^.;,]){{0,80}}?\b{CONTEXT_GIVEN}\b
  | \b{CONTEXT_GIVEN}\b(?:(?!\b{SAYS}\b)[^.;,]){{0,60}}?(?:\b{LACKS}|n['’]t)\b
  | (?:\bnot|n['’]t)\s(?:\w+\s)?enough\s(?:[\w-]+\s){{0,4}}?to\s{TO_ANSWER_MYSELF}\b
  | \bwithout\s(?:the|that|those|access|an?|further|more|any)\b(?:[^.;]|\.(?=\d)){{0,80}}?
      \b(?:cannot|can\snot|can['’]t|could\snot)\s(?:be\s)?\w+
  | \bone\s(?:cannot|can\snot|can['’]t|could\snot)\s{TO_ANSWER}\b
  | \b(?:go|goes|going|is|are|remains?|left|amounts?|figures?|values?)\s{UNTOLD}\b
  | \bleav(?:es?|ing)\b[^.;]{{0,60}}?\b(?:open|unclear|unresolved|{UNTOLD})\b | \b(?:says?|adds?|gives?)\sno\smore\b
  | \b(?:is|are|was|were)\s(?:missing|illegible|truncated|cut\soff|redacted)(?=\W*$|[.;,]|\s(?:from|and|here)\b)
  | \b{CONTEXT_GIVEN}\b(?:(?!\b{SAYS}\b)[^.;,]){{0,40}}?\bonly\s(?!(?:\w+\s){{0,8}}?[$\d])
  | \bthere(?:\s(?:is|was)|['’]s)\snothing\s(?:on|about|regarding|concerning)\b
  | \bnowhere\b[^.;]{{0,60}}?\b(?:do|does|did|is|are)\b | \bneither\s{TO_TELL}(?:s|es)?\b
  | \bno\sway\sfor\s\w+\sto\s{TO_ANSWER}\b | \bit(?:\s(?:is|was)|['’]s)\simpossible\sto\s{TO_ANSWER}\b
  | \b(?:no|any)\s(?:\w+\s)?match(?:es)?\s(?:was|were|is|are|for|found)\b
  | \b(?:it|they)\s(?:of\scourse\s)?cannot\s(?:cover|contain|include)\b
  | \b(?:but|yet|and|though)\snothing\s(?:on|about|regarding|concerning)\b
  | \bnot\s(?:visible|available|accessible|shown|known)\sto\sme\b
  | \bbut\snot\s(?:\w+\s)?(?:how|why|when|where|whether|what|which|who)\b
  | \bno\sway\sof\s(?:knowing|telling|determining|confirming|verifying)\b
  | \bif\s{THE}{SOURCE}\shad\b | \b(?:comes?|came|coming|turn(?:s|ed)\sup)\s(?:up\s)?empty\b
    # it is not told
  | \b(?:is|are|was|were|been|be){NOT}?\s(?:(?:therefore|thus|hence|simply|also)\s)?(?:not\s|never\s|nowhere\s)
      (?:\w+\s){{0,2}}?{TOLD}\b
  | \b(?:is|are|was|were)n['’]t\s(?:\w+\s){{0,2}}?{TOLD}\b
  | (?:^|:\s|[-–—]\s)\W*(?:not|never)\s(?:\w+\s)?{TOLD}\b
  | ^\W*(?:[\w()&'’-]+\s){{1,6}}(?:not|un)[\s-]?(?:\w+ly\s)?(?:{TOLD}|available)\W*$
  | ^[^;:|$%]{{1,120}}(?::|\||\s[-–—])[\s*|]*(?:n/a|not\savailable)(?=\W*$|\s\()
  | ^\W*no\s(?:[\w&'’-]+\s){{1,5}}(?:{TOLD}|available)\b(?=\W*$|\s(?:in|by|anywhere)\b)
  | \b(?:is|are|was|were){NOT}\s(?:currently\s|explicitly\s|directly\s|publicly\s|specifically\s)?{HELD}
      (?:\s(?:either|here|anywhere))?(?:\W*$|[.;,]|\s(?:in|from|within|by|among)\s{THE}{SOURCE}\b)
  | \b(?:has|have|had){NOT}\s(?:\w+\s)?(?:disclosed|reported|stated|specified|mentioned|provided|published)\b
  | \b(?:does|do|did){NOT}\s(?:\w+\s){{0,2}}?{TO_TELL}\b
  | \b(?:never|fail(?:s|ed)?\sto|declin(?:es|ed)\sto)\s(?:\w+ly\s)?(?:{TO_TELL}|provide|give)(?:s|d|ed)?\b
  | \b(?:(?:does|do|did){NOT}\s(?:\w+\s)?(?:use|employ)|never\s(?:uses?|employs?)|nowhere\s(?:uses|employs))
      \s(?:the|this|that|such\san?|any\ssuch)\s{WORDING}\b
  | \b{WORDING}\b[^.;]{{0,60}}?\b(?:(?:is|are|was|were)(?:{NOT}|\snever|\snowhere)\s(?:\w+ly\s)?
      (?:used|employed|one\sthat)
      |(?:does|do|did){NOT}\s(?:\w+\s)?(?:appear|occur|feature))\b
  | \b(?:is|are|was|were){NOT}\s(?:\w+ly\s)?(?:presented(?=\W*$)
      |(?:used|employed|presented)\s(?:anywhere\s)?(?:in|on|within)\s{THE}(?:{SOURCE}|{STATEMENTS})\b)
  | \bno\s(?:[\w-]+\s){{1,4}}?line(?:\sitem)?s?\s(?:in|on)\s{THE}{STATEMENTS}\b | \bhas\sno\sline(?:\sitem)?\sfor\b
  | \bno\s(?:[\w&'’-]+\s){{1,6}}?(?:is|are|was|were)\s(?:\w+ly\s)?(?:presented|shown|listed)\son\s{THE}{STATEMENTS}\b
  | \b(?:does|do|did){NOT}\s(?:\w+ly\s)?present\s
      (?!fairly|material|significant|(?:an?|any|the|such|this)\s(?:[\w-]+\s){{0,2}}{HARM})
  | \bwithout\s(?:\w+ly\s)?(?:disclos|report|mention|stat|specify|quantify|nam|identify|giv|provid|break|list
      |detail|say)\w*ing\b
  | \b(?:does|do|did){NOT}\s(?:provide|give|offer|publish|issue)\s(?:\w+ly\s)?
      (?:an?|any|its|separate|specific|exact|further|such|that|this|guidance|forecasts?|details?|enough|sufficient|the)\b
  | \b(?:does|do|did){NOT}\s{TO_HOLD}\s(?:any|enough|sufficient|the)\s(?:\w+\s){{0,2}}?{THING}\b
  | \b{SOURCE}\b[^.;]{{0,60}}?\b(?:(?:does|do|did){NOT}|cannot|can\snot|can['’]t)\s(?:\w+\s){{0,2}}?{TO_HOLD}\b
  | \b{SOURCE}\b[^.;]{{0,40}}?\b(?:wo(?:n['’]t)|will\snot|would{NOT})\s(?:{TO_HOLD}|{TO_TELL})\b
  | \b{SOURCE}\b[^.]{{0,90}};\s(?:it|they)\s(?:does|do|did){NOT}\s{TO_HOLD}\b
  | \b{SOURCE}\b[^.;]{{0,40}}?\b(?:does|do|did){NOT}\s(?:go|extend|reach|run|cover)\b
  | \b(?:does|do|did){NOT}\sappear\s(?:anywhere\s)?(?:in|among)\s(?:{THE}{SOURCE}|any\sof\sthem|either)\b
  | \b(?:is|are)(?:{NOT}|\snone)\s(?:an?\s|among\sthe\s|one\sof\sthe\s)?(?:[\w-]+\s){{0,3}}?
      (?:metric|measure|figure|number|item|statistic|term|detail|breakdown|indicator|data\spoint)s?\b
      [^.;]{{0,40}}?\b(?:{TO_TELL}|provide|track|publish|present|use|give|cover)(?:s|d|ed)?\b
  | \b(?:gives?|provides?|offers?|discloses?|includes?|contains?)\sno\s(?:[\w-]+\s){{0,3}}?
      (?:estimates?|amounts?|totals?|forecasts?|targets?|guidance|names?|dates?|percentages?|values?|quantification
       |split|breakdowns?|line\sitems?|(?<!\sa\s)numbers?(?!\sof\b))\b
  | \b(?:is|are|was|were)\s(?:in|not\s)sufficient\s(?:[\w-]+\s)?to\s{TO_ANSWER}\b
  | \bthere\s(?:is|are|was|were){NOT}\s(?:any|an?)\b[^.;]{{0,60}}?\b(?:in|from)\s{THE}{SOURCE}\b
  | \bnot\s(?:for|by)\s[^.;,]{{1,40}}?\b(?:specifically|separately|individually|alone|in\sparticular)\b
  | \b{TOLD}\b[^.;]{{0,40}}?,?\s(?:but|while|whereas)\s[^.;]{{1,50}}?\s(?:is|are|was|were){NOT}(?=\W*$)
  | \bnothing\s(?:is|was|has\sbeen)\s(?:\w+ly\s)?(?:said|{TOLD})\b
    # there is nothing
  | (?:\bno|\binsufficient|\bnot\s(?:any|enough)|n['’]t\s(?:any|enough|sufficient))\s(?!material|more|longer)
      (?:[\w-]+\s){{0,3}}?{THING}\b
  | \bno\s(?:[\w&'’-]+\s){{1,6}}?(?:is|are|was|were)\s(?:\w+ly\s)?
      (?:disclosed|stated|specified|mentioned|provided|given|available|included|described)\b
  | \bno\s(?:[\w&'’-]+\s){{1,14}}?(?:is|are|was|were)\s(?:\w+ly\s)?{TOLD}\s(?:in|from|within|by)\s{THE}{SOURCE}\b
  | \b(?:there(?:\s(?:is|are|was|were)|['’]s)\sno|nothing)\b[^.;]{{0,60}}?\b(?:in|from)\s{THE}{SOURCE}\b
  | \b(?:is|are|was|were)\s(?:absent|missing|omitted)\sfrom\s{THE}{SOURCE}\b
  | \b(?:is|are|was|were){NOT}\s(?:anywhere\s|among\s)?(?:in|within|part\sof|among|something)
      \s(?:that\s)?{THE}{SOURCE}\b
  | \b(?:not|nowhere)\s(?:to\sbe\sfound\s)?in\s{THE}{SOURCE}\b | ^\W*not\sin\s{SOURCE}\b
  | \b(?:so|therefore|thus|hence)\b[^.;]{{0,80}}?\b(?:is|are|remains?)
      \s(?:unknown|unclear|unavailable|undetermined|not\sknown)\b
  | \b{SOURCE}(?:,[^,.;]{{0,40}},|\s(?:provided|supplied|given|available|retrieved|shared|at\shand|I\shave))?
      \s(?:\w+ly\s)?(?:gives?|provides?|contains?|offers?|states?|reports?|lists?|discloses?|mentions?|shows?
      |ha(?:s|ve)|makes?|includes?|holds?|carr(?:y|ies)|presents?(?!\sno\s(?:\w+\s)?{HARM}))\s(?:no\b|nothing\b)
  | \bneither\b[^.;]{{0,80}}\bnor\b[^.;]{{0,60}}
      \b(?:mention|disclose|report|state|provide|give|contain|address|cover)s?\b
  | \bneither\b[^.;]{{0,80}}\bnor\b[^.;]{{0,90}}?\b(?:(?:can|could)\sbe\s{FOUND}
      |(?:is|are|was|were)\s(?:\w+ly\s)?(?:{TOLD}|{HELD})|appears?)\s(?:anywhere\s)?(?:in|from|within|by|among)\s{THE}{SOURCE}\b
  | \bwe\slack\s(?:\w+\s)?{THING}\b
  | \b{SOURCE}\s(?:only\s(?:covers?|goes|runs?|extends?|spans?|discuss\w*|mentions?|reports?|provides?|gives?)
      |(?:covers?|goes|runs?|extends?|spans?)\b[^.;]{{0,60}}\bonly\b)
  | \b{SOURCE}\b(?:[^.;]|\.(?=\d)){{0,90}}?(?:,|\bbut|\band)\s(?:not|nothing|none)\b
  | \b{SOURCE}\b[^.;]{{0,60}}?\b(?:but|and)\s(?:gives?|provides?|states?|contains?|offers?|ha(?:s|ve))
      \s(?:no|nothing)\b
  | \b(?:they|it)\s(?:contains?|says?|holds?|includes?|mentions?)\snothing\b
  | \bnot\ssomething\s(?:that\s)?(?:I\scan\s{TO_ANSWER}|[\w&'’-]+(?:\s[\w&'’-]+){{0,3}}?\s{TO_TELL}s?)\b
  | \b(?:is|was|remains?)\s(?:unclear|not\sclear|unknown)\s(?:from|based|in)\b
  | \b(?:information|data|figures?|details?)\s(?:is|are|was|were)\s(?:missing|absent|lacking)\b
  | \b{SOURCE}\s(?:lacks?|omits?|(?:is|are)\s(?:silent|missing|absent)|(?:says?|states?)\snothing)\b
  | \b(?:makes?|made|find|found|sees?)\s(?:no|nothing)\b | \b(?:says?|states?|said)\snothing\b
  | \bno\ssuch\s(?:\w+\s){{0,3}}?(?:is|are|was|were)\s(?:\w+\s)?(?:described|mentioned|disclosed|discussed
      |reported|given|found)\b
  | \b(?:none|neither|no)\s(?:\w+\s){{0,2}}?(?:filing|document|excerpt|10-K)s?\s(?:is|was|are|were)\savailable\b
  | \bnone\sof\s(?:them|these|those|which)\s(?:\w+ly\s)?(?:{TO_TELL}|{TO_HOLD})(?:s|es)?\b
  | \b(?:none|neither|not\s(?:one|any|a\ssingle\sone))\sof\s(?:the|these|those|my)\s(?:\w+\s){{0,2}}?{SOURCE}\b
  | \b(?:is|are|remains?|lies?|falls?)\s(?:unavailable\b|undisclosed\b
      |(?:outside|beyond)\s(?:of\s)?(?:the\s)?(?:\w+\s)?(?:{SOURCE}|coverage|scope|(?:periods?|years?)\s(?:covered|{GIVEN}))\b)
    # a whole answer
  | ^\W*(?:I\s(?:do\snot|don['’]t)\sknow | idk\b
      |no\s(?:data|answer|information|relevant\s\w+)\b(?=\W*$|\s(?:found|available|given|provided)))
  | ^\W*(?:not\s(?:found|available|applicable|answerable|known|determinable|given)|undisclosed|unanswerable
         |nothing\sfound
         |insufficient\s\w+|information\snot\s\w+|data\s(?:is\s)?(?:not\s\w+|unavailable)
         |none(?=\W*$|\s(?:based\son|from|{TOLD})\b)
         |none\s?[.;,:(–—-][^.;]{{0,60}}\b(?:{TOLD}|available)\b
         |(?:n[/.]?\s?[ad]\.?|null|unknown|no\sanswer|unavailable)(?=\W*$|\s?[.;,:(–—-]|\s(?:based\son|from)\b))
  | ^\s*[-–—]\s*$
    )""",
    re.VERBOSE | re.IGNORECASE,
)
# A first sentence that names what would be needed, of whoever answers or asks.
NEEDS = re.compile(
    rf"""
    ^\W*(?:to\s(?:\w+ly\s)?(?:obtain|get|respond|address|{TO_ANSWER})\b[^.;]*?,\s|for\s(?:an?|me|us)\s[^.;]*?)?
      (?:I|you|one|we)(?:\swould|\swill|['’]d|\sshould)?\s(?:need|require|have)\s(?:to\s
      (?:see|have|access|obtain|review|consult|check|retrieve|refer|read|look)|access
      |(?:\w+['’]s?\s)?(?:\w+\s){{0,5}}?(?:{SOURCE}|statements?|reports?|footnotes?|exhibits?|tables?|pages?))\b
  | ^\W*(?:answering\s)?(?:this|that|the|your)\s(?:question\s)?(?:would\s)?(?:requires?|needs?)\s
      (?:access\b|(?:the\s)?(?:[\w'’-]+\s){{0,3}}?{SOURCE}\b)
  | ^\W*(?:an?|any|the)\s(?:[\w-]+\s){{0,3}}?(?:answer|response|calculation|determination)\b[^.;]{{0,30}}?
      \b(?:would|will)\s(?:require|need|call\sfor|depend\son)\b
  | ^\W*(?:determining|answering|calculating|computing|finding|establishing|confirming|verifying|identifying)\b
      [^.;]*?\b(?:would|will)\s(?:require|need|take)\b
  | ^\W*(?:additional|further|other|more)\s{SOURCE}\s(?:would|will|is|are)\s(?:be\s)?(?:needed|required|necessary)\b
  | ^\W*(?:please|(?:can|could)\syou(?:\splease)?)\s(?:provide|share|supply|upload|attach|paste|send)\b
  | ^\W*my\s(?:knowledge|access|{SOURCE})\s(?:is|are)\s(?:\w+ly\s)?(?:limited|restricted|confined)\sto\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
# A figure of more than what is asked for, before the refusal.
TOTAL_BUT = re.compile(
    r"^(?=[^;]*\b(?:total|overall|aggregate|consolidated|company-?wide|global|worldwide|combined|as a whole)\b)[^;]*?"
    r"(?:,|;)\s(?:(?:but|however|though|although|while|yet)\b|(?=not\s))",
    re.I,
)
ANSWER_AT_END = re.compile(r"\banswer\b\W*(?:is\W*)?$", re.I)
BARE_NOT = re.compile(rf"\b({DO}|{BE}|{HAVE}|could|ca)nt\b", re.I)
LABEL = re.compile(r"^\W*(?:(?:final|short)\s)?(?:answer|response)\W*:\W*", re.I)
CONTRAST = re.compile(rf"\b(?:{CONTRASTS}|nevertheless|instead)\b", re.I)
DENIED = re.compile(r"^\W*(?:not|nothing|none)\b", re.I)
# "…; it has one segment" answers, "…; it reports only the total" says what stands there instead, and so does, where
# there is no answer, "…; it uses net income as its measure".
USES_ANOTHER = re.compile(
    r"\W*(?:it|they|the company) uses? (?!it\b|this\b|that\b|the term\b)"
    r"(?![^;]*\b(?:before|less|plus|minus|excluding|defin\w+)\b)(?:[\w&-]+ ){1,5}?(?:as|instead)\b",
    re.I,
)
STATES = re.compile(rf"\W*(?:it|they|the company|the group) (?:{HAVE}|{BE}|operates?|uses?|manages?)\b", re.I)
CONTEXT = re.compile(
    rf"\b(?:narrative |provided |available )(?:{SOURCE}|context)\b|\bquestion\b|\bI have access\b"
    rf"|\b(?:the|these|this) (?:\w+ ){{0,2}}?{SOURCE} (?:\w+ )?(?:mention|discuss|cover|contain|include"
    rf"|describe|only|reference|refer)",
    re.I,
)
# What stands there instead: "They mention that revenue grew 6%.", "For reference, …"; of the same sentence also
# "… ; it only reports revenue".
INSTEAD = re.compile(
    rf"^\W*(?:for (?:reference|context),|(?:it|they|{THE}{SOURCE}|{SOURCE}) (?:also |only |merely |instead "
    rf"|does |do )*(?:(?:mention|discuss|refer|note)s?\b|(?:state|say)s? that no\b))",
    re.I,
)
ONLY = re.compile(
    rf"^\W*(?:it|they|{THE}{SOURCE}) (?:(?:only|merely|instead) \w+|[^;]*\bonly\W*(?:\([^)]*\)\W*)?$)", re.I
)
# Of a question without an answer also what is nearest to it: "the closest metric is", "It does report revenue".
NEAREST = re.compile(
    rf"(?:^|;\s|,?\s(?:but|though|although|while)\s)\W*(?:(?:the|its|an?)\s(?:closest|nearest|(?:most\s|closely\s|only\s)?"
    rf"(?:relevant|related|similar|comparable))\s(?:\w+\s){{1,4}}?(?:{BE})\b"
    rf"|(?:it|they|{THE}{SOURCE})\s(?:(?:{DO}|also|only|however|instead),?\s){{0,2}}"
    r"(?:report|state|give|provide|show|list|disclose|include|cover|contain|describe|focus|deal)(?:s|es)?\b)[^;]*",
    re.I,
)
ASKED = re.compile(r"\bwhether\b[^;]*", re.I)  # "not say whether any customer exceeds 10%"
# Where a sentence begins to speak of its source.
OF_SOURCE = re.compile(rf"(?:^|[:;]\s)\W*(?:\w+,\s)?{THE}{SOURCE}\b", re.I)
# A guess after a refusal is an answer; where the information may be found is none.
GUESS = re.compile(
    r"\b(?:I (?:believe|think|would (?:guess|estimate|expect))|I['’]d (?:guess|estimate|say)|(?:best |educated )guess"
    r"|likely|probably|presumably|general knowledge|publicly known|widely known|my training|industry average)\b",
    re.I,
)
# A refusal of a part: "does not list every competitor", "the context only partially answers this".
PARTLY = re.compile(
    r"\bpartially\b|\bpart of (?:your|the|this) question can\b(?!['’])"
    r"|(?:\bnot|n['’]t) (?:\w+ ){1,2}?(?:every|each|all|an? (?:complete|exhaustive|full))\b",
    re.I,
)
HELP = re.compile(
    r"\b(?:(?:can|may|might|would|could|is|are) (?:\w+ )?(?:be )?(?:found|available|disclosed|reported|included"
    r"|provided|contained|located)|proxy statement|elsewhere|other (?:filings|documents|sources)"
    r"|to (?:answer|obtain|find|determine)"
    r"|I (?:would|can|could) (?:only |need|help|provide)"
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


@lru_cache(maxsize=1024)  # asked of each answer several times
def abstention(text: str | None, unanswerable: str | None = None) -> Abstention:
    """Read an answer. An empty one is no abstention: it is a failed answer.

    unanswerable is a question without an answer. To it a total is context, "In all it spent $96 million, but what was
    spent in Japan is not disclosed", and so is what is nearest, "the closest figure is net sales of $5 million".

    The refusal has to stand in the first LEAD_SENTENCES sentences. It is partial if any amount is given, if its own
    sentence goes on after but or however without a refusal, if a guess follows, or if more than MAX_OTHER_WORDS words
    follow that neither refuse nor offer help.
    """
    text = BARE_NOT.sub(r"\1n't", text or "")
    text = re.sub(r"(?<=[^\W\d_])_(?=[^\W\d_])", " ", LABEL.sub("", unwrapped(text or "")))  # "no_answer"
    if (at_last := refused_at_last(text, unanswerable)) is not None:
        return at_last
    found = [without_nearest(sentence, unanswerable) if unanswerable else sentence for sentence in sentences(text)]
    telling = (sentence for sentence in found if len(sentence.split()) > 3 or REFUSAL.search(sentence))
    lead = list(itertools.islice(telling, LEAD_SENTENCES))
    trigger = next((match for sentence in lead if (match := REFUSAL.search(sentence))), None)
    trigger = trigger or (NEEDS.search(lead[0]) if lead else None)
    if trigger is None:
        return Abstention("none")
    others = [sentence for sentence in found if not REFUSAL.search(sentence)]
    says_more = any(goes_on(sentence, unanswerable) for sentence in lead if REFUSAL.search(sentence))
    words = sum(len(sentence.split()) for sentence in others if not HELP.search(sentence))
    refused = next((place for place, sentence in enumerate(found) if REFUSAL.search(sentence)), 0)
    if unanswerable:
        found = [without_total(sentence, unanswerable) for sentence in found]
    stated = [without_context(sentence) for sentence in found[: refused + 1]]
    told = tells_instead if unanswerable else INSTEAD.match  # another year's figure answers who asks for this year's
    stated += [after_refusals(sentence) for sentence in found[refused + 1 :] if not told(sentence)]
    has_amount = any(map(is_figure, stated))
    after = [sentence[match.end() :] for sentence in lead if (match := REFUSAL.search(sentence))]
    guesses = any(GUESS.search(sentence) and not HELP.search(sentence) for sentence in (*others, *after))
    is_partly = any(map(PARTLY.search, lead))
    kind = "partial" if has_amount or says_more or guesses or is_partly or words > MAX_OTHER_WORDS else "full"
    return Abstention(kind, trigger[0].strip())


def refused_at_last(text: str, unanswerable: str | None) -> Abstention | None:
    """What an answer's last label refuses, whatever was reasoned before it: "It lists only assets.\nAnswer: N/A"."""
    last = final_answer(text)
    if last is None or not ANSWER_AT_END.search(text.removesuffix(last)):  # a conclusion may refuse a part
        return None
    refusal = abstention(last, unanswerable)
    return refusal if refusal.is_abstention else None


def without_total(sentence: str, question: str) -> str:
    """A sentence without the total that stands before a refusal which takes up a word of the question."""
    total = TOTAL_BUT.match(sentence)
    rest = sentence[total.end() :] if total else ""
    is_refused = REFUSAL.search(rest) and content_words(rest) & content_words(question)
    return rest if is_refused else sentence


def without_nearest(sentence: str, question: str) -> str:
    """A sentence without its clauses of what is nearest, unless half of the words that a question asks by, names and
    times left out, are of one: "It does report a backlog" where the backlog is asked for."""
    asked = content_words(" ".join(re.findall(r"\b(?!(?:fiscal|year|quarter|end)\b)[a-z]+\b", question)))

    def kept(clause: re.Match) -> str:
        is_of_it = 2 * len(asked & content_words(clause[0])) >= len(asked)
        return clause[0] if is_of_it or REFUSAL.search(clause[0]) else ""

    return NEAREST.sub(kept, sentence)


def goes_on(sentence: str, unanswerable: str | None = None) -> bool:
    """Whether a refusing sentence turns to an answer: "did not disclose it in 2008 but reported it in 2009"."""
    clauses = [clause for clause in sentence.split(";")[1:] if not (unanswerable and USES_ANOTHER.match(clause))]
    if any(STATES.match(each) and not REFUSAL.search(each) and not HELP.search(each) for each in clauses):
        return True
    for match in CONTRAST.finditer(sentence):
        before, rest = sentence[: match.start()], sentence[match.end() :]
        if not before.strip():  # "Although X is not disclosed, Y rose."
            before, _, rest = rest.partition(",")
        if not REFUSAL.search(before):  # "It sells through distributors, but the filing does not name them."
            continue
        other = rest
        if len(other.split()) > 3 and not any(words.search(other) for words in (DENIED, REFUSAL, HELP, CONTEXT)):
            return True
    return False


def tells_instead(text: str) -> bool:
    """Whether a clause or a sentence after a refusal says what stands there instead."""
    return bool(INSTEAD.match(text) or ONLY.match(text))


def last_refusal(sentence: str) -> int:
    """Where the last refusal of a sentence ends, also one that begins inside of another; 0 without one."""
    end, match = 0, REFUSAL.search(sentence)
    while match:
        end, match = max(end, match.end()), REFUSAL.search(sentence, match.start() + 1)
    return end


def after_refusals(sentence: str) -> str:
    """A sentence that follows a refusal without what it says before it refuses, too: "It describes the facility of $500
    million, but not whether any of it was drawn." """
    return without_instead(sentence[last_refusal(sentence) :])


def without_instead(rest: str) -> str:
    """What follows a refusal in its sentence without the clauses that say what stands there instead."""
    first, *others = re.split(r";\s|,\sbut\s", ASKED.sub("", rest))
    return "; ".join([first, *(clause for clause in others if not tells_instead(clause))])


def without_context(sentence: str) -> str:
    """A sentence without what it says of its source before it refuses: "The 10-K gives a total of $41 million, but no
    split, so this is not disclosed." """
    end = last_refusal(sentence)
    if not end:
        return sentence
    lead = sentence[:end]
    source = OF_SOURCE.search(lead)
    return (lead[: source.start()] if source else lead) + without_instead(sentence[end:])


def is_figure(sentence: str) -> bool:
    """Whether a sentence gives an amount that says what it is: money, a percentage, a count with thousands."""
    return any(not amount.is_bare or abs(amount.value) >= 1000 for amount in parse_amounts(sentence))
