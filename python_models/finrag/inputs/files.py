"""What a file holds, as bytes, text and JSON: whole or turned down with a ValueError that says why.

A file's owner need mean no harm for it to be cut, damaged, of another encoding or packed a thousand times over. What
is unpacked is bounded, and so is what a JSON text may nest and count to.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

GIB = 1 << 30
# What a file may hold when it is unpacked, and how many rows: beyond it is a mistake, or would not fit into memory.
LARGEST_BYTES = GIB
LARGEST_ROWS = 1_000_000
DEEPEST = 100
LARGEST_INTEGER = 1 << 63
GZIP = b"\x1f\x8b"
BLOCK = 1 << 20
QUOTED_CHARACTERS = 300
UTF_16 = "is UTF-16 text; save it as UTF-8"
NO_MARK = "is no UTF-8 text: a zero byte is at its beginning, as of UTF-16 without a mark; save it as UTF-8"
# What a file is that begins so, and what to do with it.
NO_TEXTS = {
    b"\xff\xfe": UTF_16,
    b"\xfe\xff": UTF_16,
    b"PK\x03\x04": "is a zip, as an Excel workbook is; unpack it, or save the sheet as CSV in UTF-8",
}
# What programs part columns by where a comma parts decimals.
OTHER_DELIMITERS = {";": "semicolons", "\t": "tabs", "|": "bars"}


def read_content(path: str | Path) -> bytes:
    """The bytes of a file, those of a gzip unpacked, up to LARGEST_BYTES. Raises OSError and ValueError."""
    if not Path(path).is_file():
        raise ValueError("is no file")
    content = bytearray()
    with open(path, "rb") as stream:
        is_packed = stream.read(len(GZIP)) == GZIP
        stream.seek(0)
        for block in unpacked(stream) if is_packed else iter(lambda: stream.read(BLOCK), b""):
            content += block
            if len(content) > LARGEST_BYTES:
                raise ValueError(f"holds more than {LARGEST_BYTES >> 20:,} MiB{' unpacked' if is_packed else ''}")
    return bytes(content)


def unpacked(stream: BinaryIO) -> Iterator[bytes]:
    """Blocks of what a gzip holds, all of its members, none larger than BLOCK."""
    reader = zlib.decompressobj(wbits=31)
    waiting = b""
    try:
        while waiting or (waiting := stream.read(BLOCK)):
            yield reader.decompress(waiting, BLOCK)
            waiting = reader.unconsumed_tail
            if reader.eof:
                waiting = reader.unused_data.lstrip(b"\0") or stream.read(BLOCK).lstrip(b"\0")
                if waiting:
                    reader = zlib.decompressobj(wbits=31)
    except zlib.error as error:
        raise ValueError(f"is a damaged gzip: {error}") from error
    if not reader.eof:
        raise ValueError("is a gzip that ends too early")


def read_text(path: str | Path) -> str:
    """The text of a file in UTF-8, with or without a byte order mark. Raises OSError and ValueError."""
    return text_of(read_content(path))


def text_of(content: bytes) -> str:
    """UTF-8 as text. Raises ValueError."""
    if fault := fault_of_bytes(content):
        raise ValueError(fault)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"is no UTF-8 text: byte {error.start:,} is none of it; save it as UTF-8") from error


def fault_of_bytes(begins: bytes) -> str | None:
    """What a file is that is no text in UTF-8, by its first bytes, and what to do; None where they say nothing."""
    fault = next((fault for mark, fault in NO_TEXTS.items() if begins.startswith(mark)), None)
    return fault or (NO_MARK if b"\0" in begins[:2] else None)


def fault_of_header(line: str) -> str | None:
    """What parts the columns of a CSV, by its first line, where commas do not; and what to do."""
    name = next((name for mark, name in OTHER_DELIMITERS.items() if mark in line and "," not in line), None)
    return f"parts its columns by {name}; save it with commas" if name else None


@dataclass(frozen=True)
class Unreadable:
    """In the place of a value that a JSON text does not state in one way: why not."""

    why: str


def no_number(name: str) -> Unreadable:
    return Unreadable(f"states {name}, which is no JSON")


def nan_as_null(name: str) -> Unreadable | None:
    """Python and pandas write what is missing as NaN."""
    return None if name == "NaN" else no_number(name)


def decode(text: str, constant: Callable = no_number, *, strict: bool = True) -> object:
    """A JSON text as values, Unreadable ones among them. Raises ValueError where it is no JSON or nests too deep.

    constant: what becomes of NaN and Infinity, which Python writes and JSON does not know. strict: whether a text in
    quotes that goes on in a new line is no JSON.
    """
    try:
        return json.loads(text, object_pairs_hook=once, parse_int=integer, parse_constant=constant, strict=strict)
    except RecursionError:
        raise ValueError(f"nests deeper than {DEEPEST}") from None


def decode_line(line: str, constant: Callable = no_number) -> object:
    """What a line of JSONL states; a damaged line is Unreadable and costs itself alone."""
    try:
        return decode(line, constant)
    except ValueError as error:
        return Unreadable(f"is no JSON: {error}")


def once(pairs: list[tuple[str, object]]) -> dict | Unreadable:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    names = [name for name, _ in pairs]
    return Unreadable(f"states {shorten(next(name for name in names if names.count(name) > 1))!r} twice")


def integer(digits: str) -> int | Unreadable:
    # int() itself refuses 4,300 digits, and takes long for fewer
    if len(digits) <= 20 and -LARGEST_INTEGER <= (value := int(digits)) < LARGEST_INTEGER:
        return value
    return Unreadable(f"states an integer of {len(digits.lstrip('-')):,} digits, more than 64 bits hold")


def check(value: object) -> None:
    """Raises ValueError for what is Unreadable, half a surrogate pair, and nesting beyond DEEPEST."""
    waiting = [(value, 1)]
    while waiting:
        each, depth = waiting.pop()
        if isinstance(each, Unreadable):
            raise ValueError(each.why)
        if isinstance(each, str):
            check_text(each)
        elif isinstance(each, dict | list):
            if depth > DEEPEST:
                raise ValueError(f"nests deeper than {DEEPEST}")
            inner = each
            if isinstance(each, dict):
                inner = each.values()
                for name in each:
                    check_text(name)
            waiting += [(one, depth + 1) for one in inner]


def check_text(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"states half a surrogate pair, \\u{ord(text[error.start]):04x}") from None


def shorten(text: str) -> str:
    return text if len(text) <= QUOTED_CHARACTERS else text[:QUOTED_CHARACTERS] + "…"
