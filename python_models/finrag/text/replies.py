"""What a reply says as its answer, without what a model wraps it in: its thoughts, tags or a box around it, and what it
cites."""

from __future__ import annotations

import re

TAG = r"think|thinking|thoughts?|reasoning|analysis|scratchpad|reflection"
END_OF_THOUGHTS = re.compile(rf"</(?:{TAG})>\s*", re.I)  # a template may leave out where they begin
UNENDED_THOUGHTS = re.compile(rf"^\s*<(?:{TAG})>", re.I)
ANSWER_TAG = re.compile(r"<(?:final[_ -]?)?(?:answer|response|output|result)>\s*", re.I)
END_OF_ANSWER = re.compile(r"\s*</(?:final[_ -]?)?(?:answer|response|output|result)>", re.I)
BOXED = re.compile(r"^[\s$]*\\boxed\{(?:\\(?:text|mathrm|textbf|mathbf)\{([^{}]*)\}|([^{}\\]*))\}[\s$.]*$")
# "Final answer: No", "The answer is: Yes", "### Conclusion" above a line.
FINAL = re.compile(
    r"(?:^[^\w\n]{0,9}|[.!?;)\]]\s[^\w\n]{0,9})(?:(?:so|thus|hence|therefore),?\s)?(?:(?:my|the)\s)?"
    r"(?:(?:short|direct|final|correct|overall)\s)?(?:answer|verdict|conclusion)\b"
    r"(?:\s(?:to\s[^.\n]{1,80}?\s)?is\b)?(?:\s?(?:\*\*)?\s?[:=]|\s[-–—]\s|(?<=\sis)(?=\s)|[^\w\n]{0,3}\n)\s*",
    re.I | re.M,
)
CITATION = re.compile(
    r"\s*\[(?:\d+(?:\s*[,–-]\s*\d+)*|[^\]\[]*\b(?:FY|Item|section)\b[^\]\[]*|[^\]\[]*\d{10}_[^\]\[]*)\]"
    r"|\s*\((?:[^()]*\bFY\s?\d{4}\b[^()]*\bItems?\s\d[^()]*|[^()]*\d{10}_[^()]*)\)",
    re.IGNORECASE,
)
NEXT_QUESTION = re.compile(r"\n[^\w\n]{0,9}question\b[^\w\n]{0,3}:", re.I)


def without_thoughts(reply: str) -> str:
    """A reply after its last thoughts; nothing of one that never comes to an end of them."""
    said = END_OF_THOUGHTS.split(reply)[-1]
    return "" if UNENDED_THOUGHTS.match(said) else said


def answer_of(reply: str) -> str:
    """The answer of a reply without thoughts: what its last answer tags or, as a whole, its box holds."""
    said = END_OF_ANSWER.split(ANSWER_TAG.split(reply)[-1])[0]
    boxed = BOXED.match(said)
    return boxed[1] or boxed[2] or "" if boxed else said


def without_cited(text: str) -> str:
    """A text without citations that stand in brackets, with the space before them: [1], [WMT, FY 2019, Item 7], ids."""
    return CITATION.sub("", text)


def final_answer(text: str) -> str | None:
    """What follows the last label of an answer, if something comes before it: of reasoning and then "Answer: No". The
    answer to a question that a model goes on to ask is none."""
    text = NEXT_QUESTION.split(text)[0]
    labels = [label for label in FINAL.finditer(text) if text[: label.start()].strip() and text[label.end() :].strip()]
    return text[labels[-1].end() :] if labels else None
