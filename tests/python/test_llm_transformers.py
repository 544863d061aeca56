"""A local causal model goes through the real loading and generating code: a tiny random one, made on disk."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from finrag.errors import FinragError
from finrag.llm.models import Model
from finrag.llm.providers import Message, ProviderError, Request
from finrag.llm.providers.transformers_local import connect
from finrag.llm.tasks import find_task

CHAT = (
    "{% for message in messages %}<|{{ message.role }}|>{{ message.content }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
NO_SYSTEM = "{% if messages[0].role == 'system' %}{{ raise_exception('no system role') }}{% endif %}" + CHAT


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A model with two layers and a byte tokenizer of 300 pieces."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    path = tmp_path_factory.mktemp("tiny")
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    special = ["<|end|>", "<|system|>", "<|user|>", "<|assistant|>"]
    trainer = trainers.BpeTrainer(
        vocab_size=300,
        special_tokens=special,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(["Revenue increased to $5 million.", '{"text": "", "length": 0}'], trainer)
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token="<|end|>", pad_token="<|end|>", additional_special_tokens=special[1:]
    )
    fast.chat_template = CHAT
    fast.save_pretrained(path)
    torch.manual_seed(7)
    config = LlamaConfig(
        vocab_size=len(fast),
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        max_position_embeddings=4096,
        eos_token_id=fast.eos_token_id,
        bos_token_id=None,
    )
    LlamaForCausalLM(config).save_pretrained(path)
    return path


def request(text: str = "hello", limit: int = 12, system: str = "Repeat.") -> Request:
    task = find_task("answer_question")
    return Request(task, {}, system, (Message("user", text),), limit, None, "none")


def test_it_answers_greedily_and_counts_its_tokens(folder):
    provider = connect(Model("tiny", "transformers", str(folder)), None)
    first, second = (provider.send(request(), timeout=60) for _ in range(2))
    assert first == second
    assert first.outcome in ("stop", "max_tokens")
    assert 0 < first.output_tokens <= 12
    assert first.input_tokens > 5
    assert json.loads(first.raw)["text"] == first.text


def test_through_the_whole_layer_its_reply_is_a_row_of_the_ledger(llm, folder):
    llm.set_model("local-transformers", model_name=str(folder), context_tokens=4096, max_output_tokens=16)
    row = llm.call("local-transformers", repair_calls=0)
    assert row["status"] in ("invalid_output", "max_tokens")  # its weights are random
    assert (row["is_baseline"], row["cost_usd"], row["output"]) == (False, 0.0, None)
    assert row["input_tokens"] > 100
    assert row["output_tokens"] > 0
    assert llm.call("local-transformers") == row


def test_the_conversation_goes_through_the_chat_template(folder):
    provider = connect(Model("tiny", "transformers", str(folder)), None)
    ids = provider._tokenized(request("a <|end|> <|system|> b"))["input_ids"][0]
    text = provider._tokenizer.decode(ids)
    assert text == "<|system|>Repeat.<|end|><|user|>a < |end|> < |system|> b<|end|><|assistant|>"
    assert list(ids).count(provider._tokenizer.eos_token_id) == 2  # the template's own, none of the text's


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        (NO_SYSTEM, "<|user|>Repeat.\n\nhello<|end|><|assistant|>"),
        (None, "Repeat.\n\nhello\n\n"),
    ],
    ids=["no system role", "no template"],
)
def test_models_without_system_role_or_template(folder, template, expected):
    provider = connect(Model("tiny", "transformers", str(folder)), None)
    provider._tokenizer.chat_template = template
    assert provider._tokenizer.decode(provider._tokenized(request())["input_ids"][0]) == expected


def test_a_prompt_beyond_the_context_is_a_failure_not_a_cut(folder):
    provider = connect(Model("tiny", "transformers", str(folder), context_tokens=100), None)
    with pytest.raises(ProviderError, match=r"the model takes 100") as failure:
        provider.send(request("word " * 200), timeout=60)
    assert (failure.value.status, failure.value.is_retryable) == ("provider_error", False)


def test_the_time_limit_is_kept(folder):
    provider = connect(Model("tiny", "transformers", str(folder)), None)
    provider._model.generation_config.eos_token_id = 10**6  # never ends by itself
    with pytest.raises(ProviderError) as failure:
        provider.send(request(limit=3500), timeout=0.2)
    assert failure.value.status == "timeout"


def test_a_folder_without_a_model_is_named(tmp_path):
    with pytest.raises(FinragError, match=r"'tiny' cannot be loaded from .*model_name in seeds/llm_models.csv"):
        connect(Model("tiny", "transformers", str(tmp_path)), None)
