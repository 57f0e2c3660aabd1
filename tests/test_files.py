"""Files that are there whole or not at all."""

from __future__ import annotations

import errno
from pathlib import Path

import numpy as np
import pytest

from azul_ai import files


def test_what_is_written_replaces_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "numbers.npz"
    path.write_bytes(b"old")
    files.write_arrays(path, {"a": np.arange(3)})
    assert np.load(path)["a"].tolist() == [0, 1, 2]
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_leaves_what_was_there_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "record"
    path.write_bytes(b"old")

    def write_half(self: Path, content: bytes) -> int:
        with self.open("wb") as file:
            file.write(content[: len(content) // 2])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", write_half)
    with pytest.raises(OSError, match="No space"):
        files.write_whole(path, b"new content")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]
