"""Analyzing a position: from a request, through a search, to an analysis.

:func:`analyze` is the one entry point of the command line and of the Python interface.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from azul_ai import calibration, explain, game, jit, notation
from azul_ai import engine as engines
from azul_ai.analysis import Analysis, EngineInfo, MoveValue, PlayerValue, Stats, Value
from azul_ai.engine import Progress
from azul_ai.evaluation import interface as evaluation
from azul_ai.evaluation.interface import DIFF, POINTS, WIN
from azul_ai.position import Fault, Position, PositionError, to_state
from azul_ai.request import Request
from azul_ai.search.searcher import Found, Problem, RootMove
from azul_ai.settings import AUTO, Limit, check_limits, make_searcher, split_settings
from azul_ai.version import __version__

FORCED_SECONDS = 0.5
"""Under a time limit, a forced move is searched no longer than this, for its value."""


def analyze(
    position: Position,
    *,
    on_progress: Callable[[Progress], None] | None = None,
    on_compile: Callable[[str], None] | None = None,
    **request: Any,
) -> Analysis:
    """Rank the moves of a position.

    :param request: the fields of :class:`azul_ai.request.Request`, by name.
    :param on_progress: called about ten times a second while searching.
    :param on_compile: told in a sentence what is being compiled, at the first use only.
    :raises PositionError: the position waits for a deal.
    :raises MoveError: a move of ``moves``, ``avoid`` or ``show`` is not legal.
    :raises SettingError: an engine, limit or setting that does not exist or fit.
    """
    asked = Request(**request)
    state = to_state(position)
    players = int(state["players"])
    settings, chosen = split_settings(position.game, asked.settings, players)
    limit = asked.limit.or_default()
    candidates = asked.candidates(state)
    name = asked.engine_for(settings, len(candidates))
    searcher = make_searcher(name, settings)
    check_limits(searcher, limit)
    threads = asked.threads or engines.default_threads(limit)
    auto = asked.engine == AUTO
    info = EngineInfo(name, auto, __version__, dict(asked.settings), chosen.id)
    fingerprint = calibration.fingerprint(searcher, chosen)
    errors = calibration.load(position.game, name, asked.objective, players, fingerprint)
    report = _Report(position, state, asked, info, limit, threads, errors)
    if state["stage"] == game.OVER:
        return report.of_finished_game()
    if state["stage"] == game.DEAL:
        reason = "the round is over and the next deal is not there: nobody is to move"
        hint = "fill in the displays, or let `azul-ai move POSITION --seed N` deal"
        raise PositionError([Fault("factories", reason, hint)])
    problem = engines.make_problem(
        state,
        chosen.model,
        candidates,
        limit,
        objective=engines.OBJECTIVES[asked.objective],
        seed=asked.seed,
        memory=asked.memory,
        top=asked.top,
    )
    if len(problem.moves) == 1 and limit.time is not None:
        limit = dataclasses.replace(limit, time=min(limit.time, FORCED_SECONDS))
    compile_s = jit.prepare([*searcher.kernels(problem), *report.kernels()], on_compile)
    run = engines.run(searcher, problem, limit, threads, on_progress)
    return report.of_run(problem, run, compile_s)


def _duration(seconds: float) -> str:
    """A time in words."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.0f} h"


class _Report:
    """Turns what was found into an Analysis."""

    def __init__(
        self,
        position: Position,
        state: Any,
        asked: Request,
        info: EngineInfo,
        limit: Limit,
        threads: int,
        errors: calibration.Errors | None,
    ) -> None:
        self._errors = errors
        self._position, self._state, self._asked = position, state, asked
        self._info, self._limit, self._threads = info, limit, threads
        self._objective = engines.OBJECTIVES[asked.objective]
        self._mover = int(state["mover"])
        self._players = int(state["players"])
        self._shown = asked.shown(state)
        self._explains = asked.explain and explain.is_available(position.game)

    def kernels(self) -> Sequence[jit.Call]:
        """What the report calls beside the search."""
        return explain.kernels(self._state) if self._explains else ()

    def of_finished_game(self) -> Analysis:
        """The exact result, and no moves."""
        values = evaluation.new_values()
        evaluation.exact_values(self._state, values)
        best = int(np.argmax(values[: self._players, WIN]))
        root = self._root(values[best], 0, proven=True)
        message = "the game is over: there is no move; the values are the winner's result"
        return self._analysis(root, (), Stats(0, 0.0, 0.0, 0.0, 0.0), best, (message,), False)

    def of_run(self, problem: Problem, run: engines.Run, compile_s: float) -> Analysis:
        """The ranked moves of a search."""
        found = run.found
        rows = self._rows(found)
        first = found.moves[0]
        root = dataclasses.replace(
            self._root(first.values[self._mover], sum(m.visits for m in found.moves), False),
            win_se=self._error(found, first, "win"),
            diff_se=self._error(found, first, "diff"),
        )
        stats = Stats(
            found.nodes,
            run.seconds,
            found.nodes / max(run.seconds, 1e-9),
            compile_s,
            found.memory / 1e6,
        )
        warnings = []
        if len(problem.moves) == 1 and not (self._asked.moves or self._asked.avoid):
            warnings.append("this is the only move")
        unknown = any(row.bound == "exact" and row.win_se is None for row in rows)
        if self._errors is None and unknown:
            warnings.append("errors are not calibrated for this search: none are stated")
        if run.interrupted:
            warnings.append("interrupted: this is the best so far")
        if self._asked.explain and not self._explains:
            warnings.append(f"there are no explanations for {self._position.game} yet")
        found_so_far = tuple(warnings)
        analysis = self._analysis(root, rows, stats, self._mover, found_so_far, run.interrupted)
        return dataclasses.replace(
            analysis,
            explanation=self._explanation(found),
            advice=self._advice(analysis, found, run.seconds),
        )

    def _error(self, found: Found, move: RootMove, column: str) -> float | None:
        """The standard error of a move's value, or of how far it lies behind the best."""
        if move.complete or move.proven:
            return 0.0
        if self._errors is None or not move.exact or not move.visits:
            return None
        return self._errors.of(column, self._subject(found, move))

    def _subject(self, found: Found, move: RootMove) -> calibration.Subject:
        return calibration.subject(self._state, self._objective, found, move)

    def _loss_error(self, found: Found, move: RootMove) -> float | None:
        """The error of a move's loss: that of two values, not of its own alone."""
        best = found.moves[0]
        if move is best:
            return 0.0
        alone = dataclasses.replace(move, complete=move.complete and best.complete)
        return self._error(found, alone, "lead")

    def _advice(self, analysis: Analysis, found: Found, seconds: float) -> str | None:
        """What more time would buy where the first two moves are not told apart."""
        if self._errors is None or len(analysis.moves) < 2:
            return None
        first, second = analysis.moves[:2]
        if not second.loss_se or second.loss > 2 * second.loss_se:
            return None
        told = f"{first.move} and {second.move} are not told apart"
        lead = max(second.loss, 1e-6)
        times = self._errors.more_budget("lead", self._subject(found, found.moves[1]), lead / 2)
        if times is None:
            return f"{told}, and more time would hardly change that: play either."
        return f"{told}; a search of about {_duration(times * seconds)} likely would."

    def _explanation(self, found: Found) -> explain.Explanation | None:
        """The best move against the first that is to be shown, or the next best."""
        if not self._explains:
            return None
        best, *others = found.moves
        others.sort(key=lambda move: move.move not in self._shown)
        compared = [best, *others[:1]]
        names = [notation.names(self._state, move.move)[0] for move in compared]
        return explain.explain(self._state, *(move.pv for move in compared), names=names)

    def _rows(self, found: Found) -> tuple[MoveValue, ...]:
        """The moves of the top, and those that are to be shown wherever they stand."""
        rows = []
        for order, move in enumerate(found.moves, 1):
            if order <= self._asked.top or move.move in self._shown:
                names = notation.names(self._state, move.move)
                rows.append(self._row(found, move, names, order))
        return tuple(rows)

    def _row(self, found: Found, move: RootMove, names: Sequence[str], order: int) -> MoveValue:
        own, best = move.values[self._mover], found.moves[0]
        vector = None
        if self._players > 2:
            vector = tuple(PlayerValue(float(v[WIN]), float(v[POINTS])) for v in move.values)
        return MoveValue(
            move=names[0],
            also=tuple(names[1:]),
            order=order,
            win=float(own[WIN]),
            win_se=self._error(found, move, "win"),
            diff=float(own[DIFF]),
            diff_se=self._error(found, move, "diff"),
            points=float(own[POINTS]),
            loss=max(0.0, self._utility(best) - self._utility(move)),
            loss_se=self._loss_error(found, move),
            visits=move.visits,
            depth=move.depth,
            bound="exact" if move.exact else "upper",
            proven=move.proven,
            pv=tuple(notation.format_move(self._state, ply) for ply in move.pv),
            vector=vector,
        )

    def _root(self, own: Any, visits: int, proven: bool) -> Value:
        error = 0.0 if proven else None
        return Value(
            float(own[WIN]), error, float(own[DIFF]), error, None, float(own[POINTS]), visits
        )

    def _utility(self, move: RootMove) -> float:
        return evaluation.python_utility(move.values, self._mover, self._objective)

    def _analysis(
        self,
        root: Value,
        rows: tuple[MoveValue, ...],
        stats: Stats,
        pov: int,
        warnings: tuple[str, ...],
        interrupted: bool,
    ) -> Analysis:
        return Analysis(
            position=self._position.code,
            game=self._position.game,
            players=self._players,
            to_move=self._mover + 1,
            pov=pov + 1,
            objective=self._asked.objective,
            engine=self._info,
            limit=self._limit.given(),
            seed=self._asked.seed,
            threads=self._threads,
            deterministic=self._limit.time is None and not interrupted,
            root=root,
            moves=rows,
            stats=stats,
            warnings=(*self._position.warnings, *warnings),
            interrupted=interrupted,
        )
