"""The steps of a generation: self-play on workers, fitting, and the gate."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from azul_ai import evaluation, games
from azul_ai.evaluation import weights
from azul_ai.position import from_state
from azul_ai.tournament import records, report, runner, schedule, worker
from azul_ai.tournament.executors import Workers, WorkersError
from azul_ai.tournament.hypotheses import Hypotheses
from azul_ai.tournament.players import Entrant
from azul_ai.tournament.records import Game
from azul_ai.tournament.session import Session
from azul_ai.tournament.settings import Settings
from azul_ai.training import fitting, layers, samples, selfplay
from azul_ai.training.fitting import Recipe
from azul_ai.training.layers import Quality
from azul_ai.training.run import CANDIDATE, GATE, Generation, Run, wanted
from azul_ai.training.samples import Samples
from azul_ai.training.selfplay import Job
from azul_ai.version import __version__

MAX_DEATHS = 3
"""So many workers may die before self-play is given up."""
GAMES_A_GENERATION = 10_000_000
"""Distance between the numbers of two generations' games, so that all are different."""


class Watch(Protocol):
    """Is told how far a run is."""

    def played(self, generation: int, done: int, total: int) -> None:
        """So many chunks of self-play are there."""

    def fitted(self, generation: int, epoch: int, quality: Quality) -> None:
        """An epoch is done."""

    def gated(self, generation: int, games: int, score: float, llr: float) -> None:
        """So many games between the candidate and the one before are done."""

    def finished(self, generation: int, document: dict[str, Any]) -> None:
        """A generation is done; this is its report."""


def train(run: Run, workers: Workers, watch: Watch, compile_notice: Callable[[str], None]) -> None:
    """Do what is left of a run.

    :raises WorkersError: workers died again and again.
    """
    for generation in run.generations():
        if generation.is_done:
            continue
        generation.begin()
        play(generation, workers, watch)
        learn(generation, watch)
        document = gate(generation, workers, watch, compile_notice)
        generation.finish({"generation": generation.number, **document})
        watch.finished(generation.number, generation.report)


def play(generation: Generation, workers: Workers, watch: Watch) -> None:
    """Play what is missing of a generation's games."""
    jobs = generation.jobs(generation.run.reference)
    total = len(jobs) + len(generation.chunks)
    waiting, deaths = list(reversed(jobs)), 0
    running: dict[Future[Samples], tuple[Path, Job]] = {}
    try:
        while waiting or running:
            watch.played(generation.number, total - len(waiting) - len(running), total)
            while waiting and len(running) < 2 * workers.slots():
                path, job = waiting.pop()
                running[workers.submit(selfplay.play, job)] = path, job
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                path, job = running.pop(future)
                if isinstance(future.exception(), workers.died):
                    waiting.append((path, job))
                    deaths += 1
                else:
                    samples.save(path, future.result())
            if deaths >= MAX_DEATHS:
                raise WorkersError(f"workers died {deaths} times; is there too little memory?")
    finally:
        for future in running:
            future.cancel()
    watch.played(generation.number, total, total)


def learn(generation: Generation, watch: Watch) -> None:
    """Fit the candidate, if it is not there yet."""
    path = generation.directory / CANDIDATE
    if path.exists():
        return
    run, plan = generation.run, generation.run.plan
    module = evaluation.network_module(plan.game)
    known = samples.join(_samples(run.generations()[: generation.number], plan.game))
    known, seen = fitting.see(known, module.LAYOUT)
    numbers, quality = fitting.fit(
        known,
        seen,
        Recipe(epochs=plan.epochs, searched=plan.searched),
        plan.seed,
        lambda epoch, reached: watch.fitted(generation.number, epoch, reached),
    )
    note = {
        **wanted(plan),
        "id": f"{plan.seed}.{generation.number}",
        "seed": plan.seed,
        "generation": generation.number,
        "games": len(np.unique(known.games)),
        "samples": len(known),
        "command": plan.command,
        "version": __version__,
        "quality": quality.to_dict(),
    }
    weights.save(path, layers.to_model(numbers, module.MODEL), note)


def _samples(generations: Iterable[Generation], game: str) -> Iterable[Samples]:
    for generation in generations:
        for path in generation.chunks:
            chunk = samples.load(path, game)
            offset = generation.number * GAMES_A_GENERATION
            yield Samples(chunk.states, chunk.searched, chunk.outcomes, chunk.games + offset)


def gate(
    generation: Generation,
    workers: Workers,
    watch: Watch,
    compile_notice: Callable[[str], None],
) -> dict[str, Any]:
    """Let the candidate play what played before; accept it if a test says it is stronger."""
    settings = _gate_settings(generation)
    path = generation.directory / GATE
    if path.exists():
        record, writer = records.resume(path)
    else:
        writer = records.create(path, settings)
        record = records.read(path)
    with writer:
        session = Session(record, writer)
        first = next(schedule.groups(settings))
        worker.prepare(settings.game, first.start, settings.seats, settings.players, compile_notice)

        def keep(games: list[Game]) -> bool:
            decided = session.keep(games)
            figures = report.of_records({"": session.record}, final=False)
            score = figures.pairs[0].score.mean if figures.pairs else None
            llr = session.test.llr if session.test else 0.0
            watch.gated(generation.number, len(session.record.games), score or 0.5, llr)
            return decided

        if not session.decided:
            runner.run(settings, frozenset(session.record.games), workers, keep)
    assert session.test is not None
    figures = report.of_records({str(path): session.record})
    note = weights.load_note(generation.directory / CANDIDATE)
    return {
        "quality": note["quality"],
        "games": note["games"],
        "samples": note["samples"],
        "accepted": session.test.decision == "H1",
        "gate": {**session.test.to_dict(), "games": len(session.record.games)},
        "pairs": [pair.to_dict() for pair in figures.pairs],
    }


def _gate_settings(generation: Generation) -> Settings:
    """The tournament that decides."""
    plan = generation.run.plan
    budget = ("iterations", str(plan.gate_iterations))
    candidate = str((generation.directory / CANDIDATE).resolve())
    before = str(generation.run.reference["evaluation"])
    entrants = (
        Entrant("candidate", "ismcts", (("evaluation", candidate), budget)),
        Entrant("before", "ismcts", (("evaluation", before), budget)),
    )
    settings = Settings(
        game=plan.game,
        players=entrants,
        seats=plan.players,
        games=plan.gate_games,
        seed=plan.seed * 1000 + generation.number,
        sprt=Hypotheses(elo0=0.0, elo1=plan.gate_elo),
        side=plan.side,
    )
    if games.has_sides(plan.game) and plan.side is None:
        groups = -(-plan.gate_games // schedule.group_size(settings))
        settings = replace(settings, positions=_new_games(settings, groups))
    return schedule.complete(settings)


def _new_games(settings: Settings, number: int) -> tuple[str, ...]:
    """The codes of so many new games, of the boards' sides in turn."""
    sides = games.load(settings.game).SIDES
    laid_out = (
        games.new_game(
            settings.game,
            settings.seats,
            seed=settings.seed * GAMES_A_GENERATION + index,
            side=sides[index % len(sides)],
        )
        for index in range(number)
    )
    return tuple(from_state(state).code for state in laid_out)
