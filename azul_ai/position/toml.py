"""Writes a document as TOML. The standard library only reads it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def write(document: Mapping[str, Any]) -> str:
    """A document of plain values, lists, inline tables, and lists of tables (written last)."""
    plain = [f"{key} = {_value(value)}" for key, value in document.items() if not _tables(value)]
    blocks = [plain]
    for key, value in document.items():
        if _tables(value):
            for table in value:
                lines = [f"{name} = {_value(item)}" for name, item in table.items()]
                blocks.append([f"[[{key}]]", *lines])
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def _tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], Mapping)


def _value(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case int():
            return str(value)
        case str():
            # A JSON text is a TOML text, but for the delete character.
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case Mapping():
            pairs = ", ".join(f"{key} = {_value(item)}" for key, item in value.items())
            return f"{{ {pairs} }}"
    items = list(map(_value, value))
    if any(isinstance(item, Mapping) for item in value):
        return "[\n" + "".join(f"  {item},\n" for item in items) + "]"
    return f"[{', '.join(items)}]"
