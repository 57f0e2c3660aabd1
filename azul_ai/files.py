"""Files that are there whole or not at all."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np


def write_whole(path: Path, content: bytes) -> None:
    """Write a file under another name first, so that it is never there in part.

    :raises OSError: it cannot be written; nothing is left of the attempt.
    """
    unfinished = path.with_name(path.name + ".part")
    try:
        unfinished.write_bytes(content)
        unfinished.replace(path)
    except OSError:
        unfinished.unlink(missing_ok=True)
        raise


def write_arrays(path: Path, arrays: Mapping[str, Any]) -> None:
    """Write a compressed numpy archive, whole or not at all.

    :raises OSError: it cannot be written.
    """
    content = io.BytesIO()
    np.savez_compressed(content, **arrays)
    write_whole(path, content.getvalue())
