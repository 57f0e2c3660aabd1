"""What a measurement was made on."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from pathlib import Path

import llvmlite.binding as llvm
import numba
import numpy as np

from azul_ai import engine
from azul_ai.version import __version__

_CPU_INFO = Path("/proc/cpuinfo")


@dataclass(frozen=True)
class Machine:
    """Processor, system and versions.

    ``target``: the processor that code is compiled for. ``cores``: those that this process
    may use. ``load``: processes that wanted to run, over the last minute; None if unknown.
    """

    cpu: str
    target: str
    cores: int
    load: float | None
    system: str
    python: str
    numba: str
    numpy: str
    azul_ai: str


def describe() -> Machine:
    """This machine, now."""
    return Machine(
        cpu=_cpu(),
        target=llvm.get_host_cpu_name(),
        cores=engine.local_cores(),
        load=round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
        system=f"{platform.system()} {platform.machine()}",
        python=platform.python_version(),
        numba=numba.__version__,
        numpy=np.__version__,
        azul_ai=__version__,
    )


def _cpu() -> str:
    """The processor's name as the system gives it, or its architecture."""
    if _CPU_INFO.exists():
        for line in _CPU_INFO.read_text(encoding="utf-8", errors="replace").splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()
