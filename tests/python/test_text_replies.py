"""What a reply says without its thoughts, tags and box."""

from __future__ import annotations

import pytest

from finrag.judging.claims import split_claims
from finrag.text.replies import answer_of, final_answer, without_thoughts
from growth import assert_linear


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("<think>It was $47 million in 2024.</think>\n$45 million", "$45 million"),
        ("It was $47 million?\n</think>\n$45 million", "$45 million"),
        ("<thinking>Is it $47 million", ""),
        ("<answer>Not disclosed</answer>", "Not disclosed"),
        ("It grew.\n<answer>\nNo\n</answer> [1]", "No"),
        ("<final_answer>$45 million", "$45 million"),
        ("\\boxed{\\text{Not disclosed}}", "Not disclosed"),
        ("$\\boxed{45}$.", "45"),
        ("So $\\boxed{45}$ million", "So $\\boxed{45}$ million"),
        ("It rose <5% and >2%.", "It rose <5% and >2%."),
    ],
)
def test_a_reply_without_what_wraps_it(reply: str, answer: str) -> None:
    assert answer_of(without_thoughts(reply)) == answer


def test_a_thought_is_no_claim() -> None:
    assert split_claims("<think>Sales fell 3%.</think>Sales rose 4%.") == ["Sales rose 4%."]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("It fell.\nAnswer: No", "No"),
        ("It fell. The final answer is no.", "no."),
        ("### Reasoning\nIt fell.\n\n### Final Answer\nNo", "No"),
        ("It fell.\nAnswer: No\n\nQuestion: Did it rise?\nAnswer: Yes", "No\n"),
        ("Answer: No", None),
        ("The answer key was lost.", None),
    ],
)
def test_the_last_label_of_an_answer(text: str, answer: str | None) -> None:
    assert final_answer(text) == answer


@pytest.mark.parametrize("passage", ["<think>", "</think>", "<answer>", "Answer: ", "\nanswer to ", "\\boxed{"])
def test_time_grows_with_the_length_of_a_reply(passage: str) -> None:
    assert_linear(lambda reply: final_answer(answer_of(without_thoughts(reply))), passage)
