"""Writes a document as TOML. The standard library only reads it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def write(document: Mapping[str, Any]) -> str:
    """A document of numbers, texts, lists of texts and lists of tables (written last)."""
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


def _value(value: int | str | list[str]) -> str:
    match value:
        case int():
            return str(value)
        case str():
            # A JSON text is a TOML text, but for the delete character.
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case _:
            return f"[{', '.join(map(_value, value))}]"
