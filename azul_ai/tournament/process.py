"""Bots in other programs, which speak JSON lines on standard input and output.

To the bot goes one line a move, ``{"position": "<code>", "moves": ["F1-B-1", …], "time": 0.1,
"seed": 123}``: the legal moves, the seconds it may think (null: as it likes), and a seed from
which it should draw all chance, so that games repeat. Back comes ``{"move": "F1-B-1"}``.
The program is started when it is first needed and again after it failed; it ends when its
standard input does.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import queue
import signal
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from subprocess import PIPE
from typing import Any

import numpy as np

from azul_ai import game, notation, position
from azul_ai.jit import Call
from azul_ai.tournament.bot import BotError

QUOTED, REASON = 80, 200
"""So many characters of a strange answer, and of what is wrong with it, are kept."""


_running: set[int] = set()
"""Process ids of the programs that run."""


@atexit.register
def end_all() -> None:
    """Kill all programs at once, and their children: for a process that ends."""
    for program in list(_running):
        _kill(program)


def _kill(program: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        if hasattr(os, "killpg"):
            os.killpg(program, signal.SIGKILL)
        else:
            os.kill(program, signal.SIGTERM)


class ProcessBot:
    """A bot behind a command.

    :param command: the program and its arguments.
    :param seconds: what it is told that it may think, or None.
    :param timeout: seconds after which a move has failed and the program is ended.
    """

    def __init__(self, command: Sequence[str], seconds: float | None, timeout: float) -> None:
        self._command = list(command)
        self._seconds = seconds
        self._timeout = timeout
        self._moves = np.zeros(game.MAX_MOVES, dtype=np.int64)
        self._program: _Program | None = None

    def kernels(self, state: Any) -> Sequence[Call]:
        """The list of moves; the program starts with its first move."""
        return [(game.list_moves, (state, self._moves, False))]

    def choose(self, state: Any, seed: int) -> int:
        """Ask the program; whatever goes wrong ends it, and the next move starts it anew."""
        number = game.list_moves(state, self._moves, False)
        names = [notation.format_move(state, int(move)) for move in self._moves[:number]]
        code = position.from_state(state).code
        question = {"position": code, "moves": names, "time": self._seconds, "seed": seed}
        try:
            if self._program is None:
                self._program = _Program(self._command)
            answer = self._program.ask(json.dumps(question), self._timeout)
            return self._read(answer, state)
        except BotError:
            self.close()
            raise

    def close(self) -> None:
        """End the program, if it runs."""
        if self._program is not None:
            self._program.end()
            self._program = None

    @staticmethod
    def _read(answer: str, state: Any) -> int:
        try:
            text = json.loads(answer)["move"]
        except (ValueError, TypeError, KeyError):
            quoted = answer[:QUOTED].rstrip("\n")
            raise BotError(f'answered {quoted!r} instead of {{"move": "…"}}') from None
        try:
            return int(notation.parse_move(state, str(text)))
        except notation.MoveError as error:
            raise BotError(f"illegal move: {str(error)[:REASON]}") from None


class _Program:
    """A running program. A thread reads its answers: pipes have no time-out everywhere."""

    def __init__(self, command: Sequence[str]) -> None:
        with contextlib.ExitStack() as stack:
            self._errors = stack.enter_context(tempfile.TemporaryFile())
            try:
                # A session of its own, so that the end takes the program's children along.
                program = subprocess.Popen(
                    command, stdin=PIPE, stdout=PIPE, stderr=self._errors, start_new_session=True
                )
            except OSError as error:
                raise BotError(f"cannot be started: {error.strerror}") from None
            self._process = stack.enter_context(program)
            _running.add(program.pid)
            stack.callback(_running.discard, program.pid)
            self._stack = stack.pop_all()
        self._answers: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._answers.put(line)
        self._answers.put(b"")

    def ask(self, question: str, timeout: float) -> str:
        """Send a line and wait for a line.

        :raises BotError: the program ended, or did not answer in time.
        """
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(question.encode() + b"\n")
            self._process.stdin.flush()
            answer = self._answers.get(timeout=timeout)
        except BrokenPipeError:
            answer = b""
        except queue.Empty:
            raise BotError(f"no answer within {timeout:g} s") from None
        if not answer:
            raise BotError(self._obituary())
        return answer.decode(errors="replace")

    def _obituary(self) -> str:
        """Why the program ended: its exit code and the last line of its standard error."""
        try:
            code = self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return "closed its standard output"
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").splitlines()
        return f"ended with exit code {code}" + (f": {lines[-1]}" if lines else "")

    def end(self) -> None:
        """Kill the program and its children and wait until they are gone."""
        _kill(self._process.pid)
        self._listener.join()
        with contextlib.suppress(BrokenPipeError):
            self._stack.close()
