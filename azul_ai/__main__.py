"""``python -m azul_ai``: the same as ``azul-ai``."""

from __future__ import annotations

from azul_ai.cli.main import main

if __name__ == "__main__":
    main()
