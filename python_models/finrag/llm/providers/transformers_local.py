"""A causal model on this machine: a Hugging Face name or a local folder, decoded greedily."""

from __future__ import annotations

import json
import threading

from finrag.encoders.weights import CONVERT, SAFE
from finrag.errors import FinragError
from finrag.libraries import load_transformers
from finrag.llm.models import Model
from finrag.llm.providers import ProviderError, Reply, Request
from finrag.project import registry_of

PROVIDER = "transformers"
IS_PRICED = False
IS_REMEMBERED = True


def connect(model: Model, key: str | None) -> TransformersLocal:
    return TransformersLocal(model, key)


class TransformersLocal:
    """One loaded model. Calls take turns: a second one at the same time would only slow the first."""

    def __init__(self, model: Model, key: str | None):
        load_transformers()
        from transformers import AutoModelForCausalLM, AutoTokenizer

        self._lock = threading.Lock()
        try:
            self._tokenizer = AutoTokenizer.from_pretrained(model.model_name, trust_remote_code=False, token=key)
            self._model = AutoModelForCausalLM.from_pretrained(model.model_name, token=key, **SAFE).eval()
        except (OSError, ValueError) as error:
            raise FinragError(
                f"The model {model.model_id!r} cannot be loaded from {model.model_name!r}: "
                f"{str(error).splitlines()[0]} "
                f"model_name in {registry_of('llm_models')} is a name on the Hugging Face hub or a folder with "
                f"config.json, model.safetensors and tokenizer.json. Pickled weights are not read. {CONVERT}."
            ) from error
        limit = getattr(self._model.config, "max_position_embeddings", None)
        self._context_tokens = min(size for size in (limit, model.context_tokens, 1 << 30) if size)

    def send(self, request: Request, timeout: float) -> Reply:
        import torch

        tokens = self._tokenized(request)
        count = tokens["input_ids"].shape[1]
        if count + request.max_output_tokens > self._context_tokens:
            raise ProviderError(
                "provider_error",
                f"the prompt has {count} tokens and the reply may have {request.max_output_tokens}; "
                f"the model takes {self._context_tokens}",
                is_retryable=False,
            )
        with self._lock, torch.inference_mode():
            generated = self._model.generate(
                **tokens,
                do_sample=False,
                max_new_tokens=request.max_output_tokens,
                max_time=timeout,
                pad_token_id=self._tokenizer.pad_token_id or self._tokenizer.eos_token_id or 0,
            )[0, count:]
        ends = self._model.generation_config.eos_token_id
        ends = ends if isinstance(ends, list) else [ends]
        ended = len(generated) > 0 and int(generated[-1]) in ends
        if not ended and len(generated) < request.max_output_tokens:
            raise ProviderError("timeout", f"no reply within {timeout:.0f} s")
        text = self._tokenizer.decode(generated, skip_special_tokens=True)
        reason = "eos" if ended else "length"
        raw = json.dumps({"text": text, "finish_reason": reason}, ensure_ascii=False)
        return Reply(text, "stop" if ended else "max_tokens", reason, count, len(generated), raw)

    def close(self) -> None:
        """Memory is given back with the object."""

    def _tokenized(self, request: Request) -> dict:
        """Token ids of the conversation, through the model's chat template where it has one."""
        system = self._plain(request.system)
        turns = [{"role": turn.role, "content": self._plain(turn.text)} for turn in request.messages]
        if self._tokenizer.chat_template:
            text = self._chat(system, turns)
            return dict(
                self._tokenizer(text, return_tensors="pt", add_special_tokens=False, return_token_type_ids=False)
            )
        text = "\n\n".join([system, *(turn["content"] for turn in turns), ""])
        return dict(self._tokenizer(text, return_tensors="pt", return_token_type_ids=False))

    def _chat(self, system: str, turns: list[dict]) -> str:
        from jinja2 import TemplateError

        arguments = {"tokenize": False, "add_generation_prompt": True}
        try:
            return self._tokenizer.apply_chat_template([{"role": "system", "content": system}, *turns], **arguments)
        except TemplateError:  # some templates know no system role
            first = {"role": "user", "content": f"{system}\n\n{turns[0]['content']}"}
            return self._tokenizer.apply_chat_template([first, *turns[1:]], **arguments)

    def _plain(self, text: str) -> str:
        """Text in which the tokenizer finds none of its own control tokens."""
        for token in self._tokenizer.all_special_tokens:
            text = text.replace(token, token[:1] + " " + token[1:])
        return text
