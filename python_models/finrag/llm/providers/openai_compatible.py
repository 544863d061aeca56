"""Any endpoint that speaks OpenAI's chat completions: OpenAI, Perplexity, vLLM, Ollama, by base_url."""

from __future__ import annotations

import json
import time
from functools import cache

from finrag.inputs.files import decode
from finrag.llm.models import Model
from finrag.llm.providers import (
    ProviderError,
    Reply,
    Request,
    code_of,
    http_failure,
    no_reply,
    stated_error,
    with_reasoning,
)
from finrag.llm.schemas import openai_schema

PROVIDER = "openai"
IS_PRICED = True
IS_REMEMBERED = True

ENDPOINT = "https://api.openai.com/v1"
# The client's errors before it sends anything: of a request that no attempt can send, and of one that found no server.
NEVER_SENT = ("UnsupportedProtocol", "LocalProtocolError")
NOT_SENT = (*NEVER_SENT, "ConnectError", "ConnectTimeout", "PoolTimeout", "ProxyError")
OUTCOMES = {"stop": "stop", "length": "max_tokens", "content_filter": "safety", "refusal": "refused"}
# Other servers' words for a reply that was cut; what is in neither list is an end in their words, such as eos.
OUTCOMES |= {"max_tokens": "max_tokens", "max_output_tokens": "max_tokens", "model_length": "max_tokens"}
# The server gave up in the middle of a reply.
BROKEN_OFF = ("error", "abort", "aborted", "cancelled", "insufficient_system_resource")

# Azure's word in the error that it answers a prompt with which its filter takes, and which it charges for.
PROMPT_FILTERED = "content_filter"


def connect(model: Model, key: str | None) -> OpenAICompatible:
    return OpenAICompatible(model, key)


class OpenAICompatible:
    """One model behind one client, which threads may share."""

    def __init__(self, model: Model, key: str | None):
        import httpx2
        import openai

        self._model = model
        self._client = openai.OpenAI(
            api_key=key or "none",
            base_url=model.endpoint or ENDPOINT,
            max_retries=0,  # retries are counted, paid and limited by the caller
            http_client=httpx2.Client(transport=_deadline_transport(), trust_env=True),
        )

    def send(self, request: Request, timeout: float) -> Reply:
        import openai

        try:
            raw = self._client.chat.completions.with_raw_response.create(
                **_arguments(self._model, request), timeout=timeout
            )
        except openai.APIStatusError as error:
            if error.code == PROMPT_FILTERED:
                return _of_filtered_prompt(error.response.text)
            said = str(error.message)
            raise self._failure(error.status_code, said, error.code, error.response.headers) from None
        except openai.APITimeoutError as error:
            billed = type(error.__cause__).__name__ not in NOT_SENT
            raise ProviderError("timeout", f"no reply within {timeout:.0f} s", may_be_billed=billed) from error
        except openai.APIConnectionError as error:
            cause = type(error.__cause__ or error).__name__
            told = {"is_retryable": cause not in NEVER_SENT, "may_be_billed": cause not in NOT_SENT}
            raise ProviderError("provider_error", f"connection failed: {cause}", **told) from None
        text = raw.http_response.text
        try:
            # broken on its way it may come whole the next time, so that is a ValueError of the json module's own
            body = _of_stream(text) or decode(text)
        except json.JSONDecodeError as error:
            raise ProviderError("provider_error", "the response is not valid JSON", may_be_billed=True) from error
        except ValueError as error:
            return Reply.unreadable(f"the response {error}", text)
        usage = body.get("usage") if isinstance(body, dict) else None
        if error := stated_error(body) or _error_of_choice(body):
            if error.get("code") == PROMPT_FILTERED:
                return _of_filtered_prompt(text, usage)
            failure = self._failure(code_of(error), str(error.get("message")), error.get("code"), raw.headers)
            if isinstance(failure, ProviderError) and usage:
                failure.may_be_billed = True
            raise failure
        if isinstance(body, dict) and not body.get("choices"):
            raise no_reply("chat completion", usage)
        reply = _reply(body, text)
        if reply.finish_reason in BROKEN_OFF:
            message = f"the reply was broken off: {reply.finish_reason}"
            raise ProviderError("provider_error", message, may_be_billed=bool(usage))
        return reply

    def close(self) -> None:
        self._client.close()

    def _failure(self, code: int, message: str, word: object, headers) -> Exception:
        failure = http_failure(self._model, code, message, headers)
        if isinstance(failure, ProviderError) and word == "insufficient_quota":
            failure.is_retryable = False  # 429 too, but no wait refills an account
        return failure


def _arguments(model: Model, request: Request) -> dict:
    messages = [{"role": "system", "content": request.system}]
    messages += [{"role": turn.role, "content": turn.text} for turn in request.messages]
    # OpenAI has renamed the limit and refuses the old name for some models; other servers know the old one only.
    limit = "max_tokens" if model.endpoint else "max_completion_tokens"
    arguments = {"model": model.model_name, "messages": messages, limit: request.max_output_tokens}
    if request.temperature is not None:
        arguments["temperature"] = request.temperature
    if request.structured_output == "json_object":
        arguments["response_format"] = {"type": "json_object"}
    elif request.structured_output == "json_schema":
        schema = {"name": request.task.name, "schema": openai_schema(request.task.schema), "strict": True}
        arguments["response_format"] = {"type": "json_schema", "json_schema": schema}
    return arguments


def _of_stream(text: str) -> dict | None:
    """The chat completion that a gateway streams in chunks though nobody asked it to; None where the text is no stream.

    Raises JSONDecodeError for a stream that ends before the reply does, ValueError for one of another form.
    """
    if not text.startswith(("data:", "event:", ":")):
        return None
    told = [line.removeprefix("data:").strip() for line in text.split("\n") if line.startswith("data:")]
    body: dict = {}
    message, finish_reason = {"content": "", "refusal": ""}, None
    try:
        for chunk in [decode(line) for line in told if line != "[DONE]"]:
            if stated_error(chunk):
                return chunk
            body |= {name: value for name, value in chunk.items() if value is not None}
            for choice in (chunk.get("choices") or [])[:1]:
                delta, finish_reason = choice.get("delta") or {}, choice.get("finish_reason") or finish_reason
                message = {name: said + (delta.get(name) or "") for name, said in message.items()}
    except (AttributeError, TypeError) as error:
        raise ValueError(f"is a stream of no chat completion: {error}") from error
    if finish_reason is None:
        raise json.JSONDecodeError("the stream ends before the reply", text, len(text))
    return body | {"choices": [{"message": message, "finish_reason": finish_reason}]}


def _error_of_choice(body: object) -> dict | None:
    """OpenRouter's form of an error in the middle of a reply."""
    choices = body.get("choices") if isinstance(body, dict) else None
    return stated_error(choices[0]) if isinstance(choices, list) and choices else None


def _reply(body: object, raw: str) -> Reply:
    try:
        choice, usage = body["choices"][0], body.get("usage")
        message, finish_reason = choice["message"], str(choice.get("finish_reason") or "stop")
        if message.get("refusal"):
            finish_reason = "refusal"
        text = _text(message.get("content") or message.get("refusal") or "")
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        tokens = _tokens(body.get("usage") if isinstance(body, dict) else None)
        return Reply.unreadable(f"the response is no chat completion: {error}", raw, *tokens)
    outcome = OUTCOMES.get(finish_reason, "stop")
    tokens, output_tokens, cached = _tokens(usage)
    return Reply(text, outcome, finish_reason, tokens, output_tokens, raw, cached, body.get("model"))


def _of_filtered_prompt(raw: str, usage: object = None) -> Reply:
    tokens, _, cached = _tokens(usage)
    return Reply("", "safety", PROMPT_FILTERED, tokens, 0, raw, cached)


def _text(content: object) -> str:
    """Of a content in parts, those of text: others hold thoughts and references."""
    parts = content if isinstance(content, list) else [{"type": "text", "text": content}]
    if not all(isinstance(part, dict) for part in parts):
        raise TypeError("content is no text")
    texts = [part.get("text") for part in parts if part.get("type") == "text"]
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("content is no text")
    return "".join(texts)


def _tokens(usage: object) -> tuple[object, object, object]:
    """Tokens in, out, and cached of those in, as the usage states them, if it is any."""
    stated = usage if isinstance(usage, dict) else {}
    tokens, details = stated.get("prompt_tokens"), stated.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else None
    return tokens, with_reasoning(tokens, stated.get("completion_tokens"), stated.get("total_tokens")), cached


def _deadline_transport():
    """An HTTP transport whose bodies end when the call's time is over, not only when a single read stalls."""
    import httpx2

    class DeadlineStream(httpx2.SyncByteStream):
        def __init__(self, stream, end: float):
            self._stream, self._end = stream, end

        def __iter__(self):
            for chunk in self._stream:
                if time.monotonic() >= self._end:
                    raise httpx2.ReadTimeout("the reply took too long")
                yield chunk

        def close(self) -> None:
            self._stream.close()

    class DeadlineTransport(httpx2.HTTPTransport):
        def handle_request(self, request):
            end = time.monotonic() + (request.extensions.get("timeout", {}).get("read") or 3600)
            response = super().handle_request(request)
            response.stream = DeadlineStream(response.stream, end)
            return response

    return DeadlineTransport(
        verify=_certificates(), limits=httpx2.Limits(max_connections=None, max_keepalive_connections=64)
    )


@cache
def _certificates():
    """Whom HTTPS is believed from here; reading them takes a fiftieth of a second."""
    import httpx2

    return httpx2.create_ssl_context()
