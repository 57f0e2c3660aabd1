"""Compilation: the only module that calls ``numba.njit``.

Two decorators. :func:`jit` marks a building block (:mod:`azul_ai.blocks`) that other
compiled code calls; :class:`Kernel` (used as ``@kernel``) marks an entry point that Python
calls. Only entry points are stored on disk, since their code holds everything they call.

Numba notices that a function's own file changed, but not that a function it calls, in
another file, did; and neither bounds checks nor the processor's settings belong to its key.
So the cache lives in a directory named by a digest of all compiled sources and flags:
a change anywhere means a new directory, and a wrong answer from an old one is impossible.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import os
import re
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar, cast

import filelock
import llvmlite.binding as llvm
import numba
import platformdirs
from numba.core.registry import CPUDispatcher

from azul_ai.blocks import BlockCompiler, EntryCompiler

F = TypeVar("F", bound=Callable[..., Any])

CACHE_VARIABLE = "AZUL_AI_CACHE_DIR"
UNUSED_DAYS = 30
"""Directories of other versions that nobody used for so long are removed."""

COMPILED_SOURCES = (
    "jit.py",
    "blocks.py",
    "generic.py",
    "bits.py",
    "rng.py",
    "game.py",
    "games",
    "evaluation",
    "search",
    "profiling/kernels.py",
    "training/kernels.py",
)
"""Where compiled code may live, relative to the package; what the digest covers."""

_PACKAGE = Path(__file__).parent
_DIGEST = re.compile("[0-9a-f]{16}")
_FLAGS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
_BLOCK_FLAGS = {**_FLAGS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
BLOCK_OPTIONS = {**_BLOCK_FLAGS, "pipeline_class": BlockCompiler}
"""For ``njit``, of what only compiled code calls: nothing that Python would need."""


class CacheNotice(UserWarning):
    """The compile cache could not be kept where it belongs."""


def jit(function: F) -> F:
    """Compile a building block that other compiled functions call.

    :raises RuntimeError: the function's file is outside :data:`COMPILED_SOURCES`.
    """
    _require_covered(function)
    if numba.config.DISABLE_JIT:
        return function
    options = {"nopython": True, **_BLOCK_FLAGS}
    return cast("F", _Block(function, targetoptions=options, pipeline_class=BlockCompiler))


class _Block(CPUDispatcher):  # type: ignore[misc]
    """A building block: compiled code calls it directly, Python through a version of its own."""

    def __call__(self, *args: Any) -> Any:
        return self._for_python(*args)

    def get_call_template(self, args: Sequence[Any], kws: Any) -> Any:
        """One version for all constants: the compiler puts them in when it inlines."""
        return super().get_call_template(tuple(map(numba.types.unliteral, args)), kws)

    @functools.cached_property
    def _for_python(self) -> Callable[..., Any]:
        compiled: Callable[..., Any] = numba.njit(**_FLAGS)(self.py_func)
        return compiled


class Kernel:
    """An entry point into compiled code, stored on disk, called from Python.

    The first call with new argument types compiles, or loads what an earlier process
    compiled. Compiling happens under a lock between processes: two that fill one empty
    cache at the same time can cross their entries.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        _require_covered(function)
        self.name = function.__name__
        self.__doc__ = function.__doc__
        self.__wrapped__ = function
        self._ready: set[tuple[object, ...]] = set()
        with _cache_directory_set():
            options = {"cache": True, "pipeline_class": EntryCompiler, **_FLAGS}
            self._dispatcher = numba.njit(**options)(function)

    def __call__(self, *args: Any) -> Any:
        """Run it, compiled or loaded first if need be."""
        if tuple(map(_kind, args)) not in self._ready:
            self.prepare(*args)
        return self._dispatcher(*args)

    def is_stored(self, *args: Any) -> bool:
        """Whether some process has already compiled this for the types of ``args``."""
        return bool(numba.config.DISABLE_JIT) or self._marker(args).exists()

    def prepare(self, *args: Any) -> None:
        """Compile (or load) for the types of ``args`` without running."""
        if not numba.config.DISABLE_JIT:
            signature = tuple(numba.typeof(arg) for arg in args)
            marker = self._marker(args)
            if marker.exists():
                self._dispatcher.compile(signature)
            else:
                with filelock.FileLock(cache_directory() / "compile.lock"):
                    self._dispatcher.compile(signature)
                    marker.touch()
        self._ready.add(tuple(map(_kind, args)))

    def _marker(self, args: tuple[Any, ...]) -> Path:
        types = "|".join(str(numba.typeof(arg)) for arg in args)
        return cache_directory() / f"{self.name}-{hashlib.sha256(types.encode()).hexdigest()[:16]}"


def kernel(function: Callable[..., Any]) -> Kernel:
    """Decorate an entry point into compiled code; see :class:`Kernel`."""
    return Kernel(function)


Call = tuple[Kernel, tuple[Any, ...]]
"""A kernel and arguments of the types it will be called with."""


def prepare(calls: Sequence[Call], notify: Callable[[str], None] | None = None) -> float:
    """Make every kernel of ``calls`` ready; return the seconds spent on compiling new ones.

    :param notify: is told, in a sentence, which kernel of how many is being compiled,
        and at the end how long all of it took; never called when all are stored already.
    """
    by_types = {(entry.name, *map(_kind, args)): (entry, args) for entry, args in calls}
    missing = [(entry, args) for entry, args in by_types.values() if not entry.is_stored(*args)]
    start = time.perf_counter()
    for number, (entry, args) in enumerate(missing, 1):
        if notify:
            notify(f"compiling {entry.name} ({number} of {len(missing)}, first use only)")
        entry.prepare(*args)
    spent = time.perf_counter() - start if missing else 0.0
    if missing and notify:
        notify(f"compiled in {spent:.1f} s; kept in {cache_directory()}")
    for entry, args in calls:
        if tuple(map(_kind, args)) not in entry._ready:
            entry.prepare(*args)
    return spent


@functools.cache
def cache_directory() -> Path:
    """Where compiled code of exactly these sources and flags is kept; made at first use.

    ``AZUL_AI_CACHE_DIR`` overrides the user's cache directory. If it cannot be written,
    a temporary directory serves this process, with one :class:`CacheNotice`.
    """
    root = Path(os.environ.get(CACHE_VARIABLE) or platformdirs.user_cache_dir("azul-ai"))
    directory = root / _digest()
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):
            os.utime(directory)
        _prune(root)
    except OSError as error:
        directory = Path(tempfile.mkdtemp(prefix="azul-ai-"))
        atexit.register(shutil.rmtree, directory, ignore_errors=True)
        warnings.warn(
            f"the cache directory {root} cannot be written ({error.strerror}); compiled "
            f"code is not kept. Set {CACHE_VARIABLE} to a writable directory.",
            CacheNotice,
            stacklevel=2,
        )
    return directory


@contextlib.contextmanager
def _cache_directory_set() -> Iterator[None]:
    """Numba reads its cache directory while decorating; leave other users' setting alone."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(cache_directory())
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


def _digest() -> str:
    digest = hashlib.sha256()
    for place in COMPILED_SOURCES:
        path = _PACKAGE / place
        files = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in files:
            if file.is_file() and "__pycache__" not in file.parts:
                digest.update(file.relative_to(_PACKAGE).as_posix().encode())
                digest.update(file.read_bytes())
    circumstances = (
        sorted(_FLAGS.items()),
        numba.config.BOUNDSCHECK,
        numba.__version__,
        sys.version,
        llvm.get_host_cpu_name(),
        str(_PACKAGE),
    )
    digest.update(repr(circumstances).encode())
    return digest.hexdigest()[:16]  # has the form of _DIGEST


def _prune(root: Path) -> None:
    """Remove caches unused for long. Recent ones stay: two checkouts share ``root``."""
    limit = time.time() - UNUSED_DAYS * 24 * 3600
    for other in root.iterdir():
        with contextlib.suppress(OSError):  # another process may prune at the same time
            if _DIGEST.fullmatch(other.name) and other.stat().st_mtime < limit:
                shutil.rmtree(other, ignore_errors=True)


def _require_covered(function: Callable[..., Any]) -> None:
    file = Path(function.__code__.co_filename)
    covered = any(file.is_relative_to(_PACKAGE / place) for place in COMPILED_SOURCES)
    if file.is_relative_to(_PACKAGE) and not covered:
        raise RuntimeError(f"{file} is compiled but not in COMPILED_SOURCES: its cache would lie")


def _kind(argument: Any) -> object:
    """What tells argument types apart, cheaply: a dtype and rank, or a Python type."""
    dtype = getattr(argument, "dtype", None)
    return type(argument) if dtype is None else (dtype, argument.ndim)
