"""JSON Schemas in the dialects of the providers, and replies read back into the schema."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache

from pydantic import BaseModel, ValidationError

from finrag.inputs.files import check, decode
from finrag.text.replies import without_thoughts

_FENCE = re.compile(r"```(?:json|JSON)?[^\S\n]*+\n(.*?)```", re.DOTALL)
_THOUSANDS = re.compile(r"[+-]?[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?")
_ESCAPE = re.compile(r"""\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|(?P<alone>\\)""")
# Each that begins no object costs a pass over the text before it, as json counts its lines.
_MOST_STARTS = 1_000
_ABSENT = ("", "n/a", "null")
_KEPT_BY_GEMINI = ("type", "description", "enum", "minItems", "maxItems", "required", "format")


@dataclass(frozen=True)
class Reading:
    """A reply read: output is JSON text valid against the schema, or None and error says why.

    is_bare: the reply was that JSON and nothing else. error: None where the reply is what was asked for.
    """

    output: str | None
    is_bare: bool = False
    error: str | None = None


def read_reply(text: str, schema: type[BaseModel] | None) -> Reading:
    """Validate a reply; JSON inside a code fence or prose is taken out when exactly one object fits the schema.

    Values that differ from the schema in form alone are read, see ``_meant``; a repair of them would be paid for.
    Nothing is guessed: a cut object is not closed, two different objects that fit leave the reply unread, and one that
    a model drafts in its thoughts is no reply. Without a schema any text but an empty one is a reply, and output is
    None. Never raises, whatever the text.
    """
    if schema is None:
        return Reading(None, is_bare=True) if text.strip() else Reading(None, error="the reply is empty")
    try:
        return Reading(_validated(text, schema), is_bare=True)
    except (ValueError, RecursionError) as error:
        first_error = _described(error)
    fitting: dict[str, None] = {}
    for candidate in _objects(_escaped(without_thoughts(text))):
        try:
            fitting[_validated(candidate, schema)] = None
        except (ValueError, RecursionError) as error:
            first_error = _described(error)
    if len(fitting) == 1:
        return Reading(next(iter(fitting)))
    return Reading(None, error="the reply holds several objects that fit" if fitting else first_error)


def _validated(text: str, schema: type[BaseModel]) -> str:
    value = decode(text, constant=_no_constant, strict=False)
    check(_storable(value))
    stated = _json_schema(schema)
    return schema.model_validate(_meant(_storable(value), stated, stated.get("$defs", {}))).model_dump_json()


def _escaped(text: str) -> str:
    """The text with backslashes that begin no escape of JSON as such: of "\\$5", which is Markdown."""
    return _ESCAPE.sub(lambda found: r"\\" if found["alone"] else found[0], text)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON value")


def _storable(value: object) -> object:
    """Without NUL and halves of surrogate pairs, which databases refuse."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, list):
        return [_storable(element) for element in value]
    if isinstance(value, dict):
        return {_storable(key): _storable(element) for key, element in value.items()}
    return value


def storable(text: str) -> str:
    """The text without NUL and halves of surrogate pairs."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode()


@cache
def _json_schema(schema: type[BaseModel]) -> dict:
    return schema.model_json_schema()


def _meant(value: object, schema: dict, definitions: dict) -> object:
    """The value in the form that the schema states.

    Null for a field that may be left out and is not null is left out, so that it has its default. Of a field that is no
    free text, a few allowed words are known in any case and with space around them, "True" as true too, a number with
    separators of thousands is one, and "", "N/A" and "null" are null where that is allowed. Whatever else does not fit
    stays, for the validation to name.
    """
    options = _options(schema, definitions)
    if isinstance(value, bool):  # true is no number, though Python takes it for 1
        closed = [option for option in options if "enum" in option or option.get("type") not in ("string", None)]
        return _meant_by_text(str(value), closed) if closed else value
    if isinstance(value, str):
        return _meant_by_text(value, options)
    if isinstance(value, list):
        items = [option["items"] for option in options if "items" in option]
        return [_meant(element, items[0], definitions) for element in value] if len(items) == 1 else value
    objects = [option for option in options if "properties" in option]
    if not isinstance(value, dict) or len(objects) != 1:
        return value
    properties, required = objects[0]["properties"], objects[0].get("required", ())
    return {
        name: _meant(inner, properties[name], definitions) if name in properties else inner
        for name, inner in value.items()
        if inner is not None
        or name in required
        or any(option.get("type", "null") == "null" for option in _options(properties.get(name, {}), definitions))
    }


def _options(schema: dict, definitions: dict) -> list[dict]:
    """What a value may be: the members of a union, or the schema alone; references are followed."""
    if "$ref" in schema:
        schema = definitions[schema["$ref"].rsplit("/", 1)[1]]
    return [option for each in schema.get("anyOf", ()) for option in _options(each, definitions)] or [schema]


def _meant_by_text(text: str, options: list[dict]) -> str | None:
    words: list = []
    types = set()
    for option in options:
        allowed = option.get("enum", [option["const"]] if "const" in option else [])
        words += [word for word in allowed if isinstance(word, str)]
        if not allowed:
            types.add(option.get("type"))
    if not types.isdisjoint(("string", None)):
        return text
    bare = text.strip()
    fitting = [word for word in words if word.casefold() == bare.casefold()]
    if len(fitting) == 1:
        return fitting[0]
    if "null" in types and bare.casefold() in _ABSENT:
        return None
    is_number = not types.isdisjoint(("number", "integer")) and _THOUSANDS.fullmatch(bare)
    return bare.replace(",", "") if is_number else bare


def _objects(text: str) -> list[str]:
    """Stretches of the text that may be the object: what code fences hold, then every outermost {…}."""
    found = [match[1].strip() for match in _FENCE.finditer(text)]
    decoder = json.JSONDecoder(strict=False)
    start, starts = text.find("{"), 0
    while start != -1 and starts < _MOST_STARTS:
        try:
            _, end = decoder.raw_decode(text, start)
        except json.JSONDecodeError as error:
            if error.msg.startswith("Unterminated string") or error.pos >= len(text.rstrip()) - len("false"):
                break  # the object is cut off: what stands inside it is not the reply
            end, starts = start + 1, starts + 1
        except (ValueError, RecursionError):  # an integer that Python does not read, or nesting
            break
        else:
            found.append(text[start:end])
        start = text.find("{", end)
    return found


def _described(error: Exception) -> str:
    if isinstance(error, ValidationError):
        faults = error.errors(include_url=False, include_input=False, include_context=False)
        return "; ".join(f"{'.'.join(map(str, fault['loc'])) or 'reply'}: {fault['msg']}" for fault in faults[:5])
    if isinstance(error, json.JSONDecodeError):
        return f"not valid JSON: {error.msg} at character {error.pos}"
    return str(error)[:300] or type(error).__name__


def openai_schema(schema: dict) -> dict:
    """The schema as OpenAI's strict mode wants it: every property required, none besides, no defaults."""
    if isinstance(schema, list):
        return [openai_schema(element) for element in schema]
    if not isinstance(schema, dict):
        return schema
    strict = {name: openai_schema(value) for name, value in schema.items() if name not in ("default", "title")}
    if isinstance(schema.get("properties"), dict):
        strict["properties"] = {name: openai_schema(value) for name, value in schema["properties"].items()}
        strict["required"] = list(schema["properties"])
        strict["additionalProperties"] = False
    return strict


def gemini_schema(schema: dict, definitions: dict | None = None) -> dict:
    """The schema in the subset of OpenAPI that Gemini takes: references inlined, "or null" as nullable.

    A union of several types has no equivalent there and becomes a string, which the prompt's own schema and the
    validation of the reply make good.
    """
    definitions = schema.get("$defs", {}) if definitions is None else definitions
    if "$ref" in schema:
        return gemini_schema(definitions[schema["$ref"].rsplit("/", 1)[1]] | _described_as(schema), definitions)
    options = [option for option in schema.get("anyOf", []) if option.get("type") != "null"]
    if options:
        is_nullable = {"nullable": True} if len(options) < len(schema["anyOf"]) else {}
        chosen = gemini_schema(options[0], definitions) if len(options) == 1 else {"type": "string"}
        return chosen | _described_as(schema) | is_nullable
    result = {name: schema[name] for name in _KEPT_BY_GEMINI if name in schema}
    if "const" in schema:
        result["enum"] = [schema["const"]]
    if "enum" in result:
        result |= {"type": "string", "format": "enum"}
        result["enum"] = [str(value) for value in result["enum"]]
    if "items" in schema:
        result["items"] = gemini_schema(schema["items"], definitions)
    if "properties" in schema:
        result["properties"] = {name: gemini_schema(value, definitions) for name, value in schema["properties"].items()}
        result["required"] = list(schema["properties"])
    for ours, theirs in (("minItems", "min_items"), ("maxItems", "max_items")):
        if ours in result:
            result[theirs] = result.pop(ours)
    return result


def _described_as(schema: dict) -> dict:
    return {"description": schema["description"]} if "description" in schema else {}
