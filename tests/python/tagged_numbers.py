"""Tagged numbers found apart from the reader, for tests of it."""

from __future__ import annotations

import re

from lxml import etree


def between(text: str, start: int, end: int) -> str:
    """What stands in a text after start of its letters and digits and through end of them."""
    kept = [found.start() for found in re.finditer(r"[^\W_]", text)]
    return text[kept[start] : kept[end - 1] + 1] if start < end else ""


def only_letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text)


def visible_numbers(element: etree._Element) -> int:
    """How many numeric tags an element and what is in it show."""
    if not isinstance(element.tag, str):
        return 0
    name = re.split("[}:]", element.tag)[-1].lower()
    is_resource = name == "header" and element.tag.lower() != "{http://www.w3.org/1999/xhtml}header"
    if is_resource or re.search(r"display\s*:\s*none", element.get("style") or "") or "hidden" in element.attrib:
        return 0
    return (name in ("nonfraction", "fraction")) + sum(visible_numbers(child) for child in element)
