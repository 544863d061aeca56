"""Google Gemini through google-generativeai over REST, at Google's endpoint or at base_url."""

from __future__ import annotations

import json
import re
import threading
import time
import warnings
from collections.abc import Mapping

from finrag.inputs.files import decode
from finrag.llm.models import Model
from finrag.llm.providers import (
    ProviderError,
    Reply,
    Request,
    bounded,
    code_of,
    counted,
    http_failure,
    no_reply,
    seconds_left,
    stated_error,
    with_reasoning,
)
from finrag.llm.schemas import gemini_schema

PROVIDER = "gemini"
IS_PRICED = True
IS_REMEMBERED = True

ENDPOINT = "https://generativelanguage.googleapis.com"

OUTCOMES = {
    "FINISH_REASON_UNSPECIFIED": "stop",
    "STOP": "stop",
    "MAX_TOKENS": "max_tokens",
    "RECITATION": "recitation",
    "SAFETY": "safety",
    "BLOCKLIST": "safety",
    "PROHIBITED_CONTENT": "safety",
    "SPII": "safety",
    "LANGUAGE": "refused",
    "OTHER": "refused",
    "MALFORMED_FUNCTION_CALL": "refused",
}

# In the text of a response: within its strings a quotation mark stands behind a backslash.
FINISH_REASON = re.compile(r'"finishReason"\s*:\s*"(\w+)"')
ANSWERED_BY = re.compile(r'"modelVersion"\s*:\s*"([^"\\]+)"')

# Counts of a response as it is written, and as Google's client gives it.
WRITTEN = ("promptTokenCount", "candidatesTokenCount", "totalTokenCount", "cachedContentTokenCount")
PARSED = ("prompt_token_count", "candidates_token_count", "total_token_count", "cached_content_token_count")


def connect(model: Model, key: str | None) -> Gemini:
    return Gemini(model, key)


class Gemini:
    """One model. Each thread has a client and a connection of its own."""

    def __init__(self, model: Model, key: str | None):
        self._model = model
        self._key = key
        self._of_thread = threading.local()
        self._clients: list = []
        with warnings.catch_warnings():
            # it announces its end of life on import, on every build; DECISIONLOG.md says why it is used
            warnings.simplefilter("ignore", FutureWarning)
            import google.generativeai  # noqa: F401 (loaded here, where the warning is ignored)

    def send(self, request: Request, timeout: float) -> Reply:
        import google.generativeai as genai
        import requests
        from google.api_core import exceptions
        from google.protobuf.json_format import ParseError

        client = self._client()
        generative = genai.GenerativeModel(self._model.model_name, system_instruction=request.system)
        # genai.configure() is one key and one endpoint for the whole process; registry rows may differ in both.
        generative._client = client
        self._of_thread.end, self._of_thread.body = time.monotonic() + timeout, None
        self._of_thread.refused = None
        try:
            response = generative.generate_content(
                [{"role": _role(turn.role), "parts": [turn.text]} for turn in request.messages],
                generation_config=_generation_config(request),
                # retries are counted, paid and limited by the caller
                request_options={"timeout": timeout, "retry": None},
            )
        except exceptions.GoogleAPICallError as error:
            raise self._failure(error) from None
        except requests.exceptions.Timeout as error:
            billed = may_have_been_sent(error)
            raise ProviderError("timeout", f"no reply within {timeout:.0f} s", may_be_billed=billed) from error
        except requests.exceptions.RequestException as error:
            message = f"connection failed: {type(error).__name__}"
            raise ProviderError("provider_error", message, may_be_billed=may_have_been_sent(error)) from None
        except (ParseError, ValueError, TypeError, AttributeError, RecursionError) as error:
            if self._of_thread.refused is not None:
                raise self._refused(self._of_thread.refused) from None
            if self._of_thread.body is None or isinstance(error, AttributeError):  # nothing came of it
                raise
            return self._unread(self._of_thread.body, error)
        reply = _reply(response.to_dict(), self._of_thread.body)
        # Google's client takes a body that it knows nothing of for a response without candidates
        return reply or self._unread(self._of_thread.body, ValueError("it has no candidate"))

    def close(self) -> None:
        while self._clients:
            self._clients.pop().transport.close()

    def _client(self):
        client = getattr(self._of_thread, "client", None)
        if client is None:
            from google.ai.generativelanguage import GenerativeServiceClient

            options = {"api_key": self._key} if self._key else {"api_key": "none"}
            if self._model.endpoint:
                options["api_endpoint"] = self._model.endpoint
            client = GenerativeServiceClient(transport="rest", client_options=options)
            adapter = _deadline_adapter(self._of_thread)
            for scheme in ("https://", "http://"):
                client.transport._session.mount(scheme, adapter)
            self._of_thread.client = client
            self._clients.append(client)
        return client

    def _failure(self, error) -> Exception:
        response = error.response
        headers = response.headers if response is not None else {}
        return self._meaning(int(error.code or 500), str(error.message), headers, _error_in(response))

    def _refused(self, response) -> Exception:
        """An HTTP error whose body is not of Google's form, as a gateway's: its client cannot read that."""
        error = _error_in(response)
        said = str(error.get("message") or response.text or response.reason)
        return self._meaning(response.status_code, said, response.headers, error)

    def _meaning(self, code: int, message: str, headers, error: Mapping) -> Exception:
        """error: the object that states it, whose details say more."""
        details = _error_details(error)
        if any(detail.get("reason") == "API_KEY_INVALID" for detail in details):
            code = 401  # Google answers an invalid key with 400
        failure = http_failure(self._model, code, message, headers)
        if isinstance(failure, ProviderError) and failure.retry_after is None:
            failure.retry_after = _retry_delay(details)
        return failure

    def _unread(self, body: str, error: Exception) -> Reply:
        """A response that came whole and that Google's client cannot read, or finds no candidate in.

        Raises for one that is no JSON, that states an error, or that has no candidate at all.
        """
        try:
            read = decode(body)
        except json.JSONDecodeError:
            raise ProviderError("provider_error", "the response is not valid JSON", may_be_billed=True) from error
        except ValueError as fault:
            return Reply.unreadable(f"the response {fault}", body)
        if stated := stated_error(read):
            raise self._meaning(code_of(stated), str(stated.get("message")), {}, stated) from None
        if isinstance(read, dict) and not read.get("candidates"):
            raise no_reply("generated content", read.get("usageMetadata")) from None
        usage = _usage(read.get("usageMetadata") or {}) if isinstance(read, dict) else ()
        return Reply.unreadable(f"the response is no generated content: {str(error).splitlines()[0]}", body, *usage)


def may_have_been_sent(error: Exception) -> bool:
    """Whether a failed request may have reached a server: not where name, address or handshake were at fault.

    requests has no class of its own for a server that is not found or does not listen: urllib3 states it as reason.
    """
    from requests import exceptions
    from urllib3.exceptions import NewConnectionError

    unsent = (exceptions.ConnectTimeout, exceptions.SSLError, exceptions.ProxyError)
    unsent += (exceptions.MissingSchema, exceptions.InvalidSchema, exceptions.InvalidURL)
    reason = getattr(next(iter(error.args), None), "reason", None)
    return not isinstance(error, unsent) and not isinstance(reason, NewConnectionError)


def _role(role: str) -> str:
    return "model" if role == "assistant" else role


def _generation_config(request: Request) -> dict:
    config: dict = {"max_output_tokens": request.max_output_tokens}
    if request.temperature is not None:
        config["temperature"] = request.temperature
    if request.structured_output != "none":
        config["response_mime_type"] = "application/json"
    if request.structured_output == "json_schema":
        config["response_schema"] = gemini_schema(request.task.schema)
    return config


def _reply(response: dict, raw: str) -> Reply | None:
    """None where there is neither a candidate nor a word on why there is none."""
    from google.generativeai import protos

    finish_reasons, block_reasons = (
        protos.Candidate.FinishReason,
        protos.GenerateContentResponse.PromptFeedback.BlockReason,
    )
    usage = _usage(response.get("usage_metadata") or {}, PARSED)
    candidates = response.get("candidates") or []
    if not candidates:
        blocked = block_reasons((response.get("prompt_feedback") or {}).get("block_reason", 0)).name
        if blocked == "BLOCK_REASON_UNSPECIFIED":
            return None
        text, finish_reason, outcome = "", f"BLOCKED_{blocked}", "safety"
    else:
        number = candidates[0].get("finish_reason", 0)
        finish_reason = next((each.name for each in finish_reasons if each == number), str(number))
        # Google's client takes a word that is newer than itself for none
        if not number and (written := FINISH_REASON.search(raw)):
            finish_reason = written[1]
        outcome = OUTCOMES.get(finish_reason, "refused")
        parts = (candidates[0].get("content") or {}).get("parts") or []
        text = "".join(part.get("text", "") for part in parts)
    tokens, output_tokens, cached = usage
    answered_by = stated[1] if (stated := ANSWERED_BY.search(raw)) else None
    return Reply(text, outcome, finish_reason, tokens, output_tokens, raw, cached, answered_by)


def _usage(usage: object, names: tuple[str, str, str, str] = WRITTEN) -> tuple[object, object, object]:
    """Tokens in, out, and cached of those in. Where the total is below those in, out is the count that it makes."""
    if not isinstance(usage, dict):
        return None, None, None
    tokens, answer, total, cached = (counted(usage.get(name)) for name in names)
    if isinstance(tokens, int) and isinstance(total, int) and 0 != total < tokens:
        return tokens, total - tokens, cached
    return tokens, with_reasoning(tokens, answer, total), cached


def _error_in(response) -> dict:
    try:
        return stated_error(decode(response.text)) or {}
    except (ValueError, AttributeError):
        return {}


def _error_details(error: Mapping) -> list[dict]:
    details = error.get("details")
    return [detail for detail in details if isinstance(detail, dict)] if isinstance(details, list) else []


def _retry_delay(details: list[dict]) -> float | None:
    """Google states the wait in the body, as "37s"."""
    for detail in details:
        if delay := re.fullmatch(r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)s", str(detail.get("retryDelay"))):
            return bounded(float(delay[1]))
    return None


def _deadline_adapter(of_thread: threading.local):
    """An HTTP adapter that reads the body itself and ends the connection when the thread's time is over.

    The timeout of requests is one per read, so a body that drips a byte a second would be read for hours.
    """
    import requests
    import urllib3

    class DeadlineAdapter(requests.adapters.HTTPAdapter):
        def send(self, request, **settings):
            response = super().send(request, **(settings | {"stream": True}))
            timer = threading.Timer(seconds_left(of_thread.end), response.raw.shutdown)
            timer.daemon = True
            timer.start()
            try:
                # read here and kept by the response; the client that parses it keeps nothing of what it cannot read
                of_thread.body = response.content.decode("utf-8", "replace")
                of_thread.refused = None if response.ok else response
            except (requests.exceptions.RequestException, urllib3.exceptions.HTTPError):
                if time.monotonic() >= of_thread.end - 0.05:
                    raise requests.exceptions.ReadTimeout(request=request) from None
                raise
            finally:
                timer.cancel()
                timer.join()
            if time.monotonic() >= of_thread.end:
                raise requests.exceptions.ReadTimeout(request=request)
            return response

    return DeadlineAdapter()
