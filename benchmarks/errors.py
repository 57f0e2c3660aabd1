"""What errors searches make: values found with a budget beside those found with 50 times as much.

    python benchmarks/errors.py --game azul --positions 200 --out errors-azul.jsonl

Positions come from games of quick bots with some random moves in between, those of Sintra from
both sides in turn. Each engine searches each of them with three budgets, and again with 50 times
each. A line of the output is a position and engine: for the best moves of each search what was
known of them then, and what the long search says. Moves that were searched as far as the engine
looks are left out: they have no error. What the file holds already is not measured again, so a run
that was stopped goes on where it was; but what was measured with another evaluation is.

`benchmarks/calibrate.py` fits the errors that the program states to such lines;
`benchmarks/quality.py --coverage` checks them against other such lines.
"""

from __future__ import annotations

import argparse
import dataclasses
import functools
import itertools
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from azul_ai import engine as engines
from azul_ai import game, games, rng
from azul_ai.calibration import Subject, fingerprint, subject
from azul_ai.calibration.subject import Numbers
from azul_ai.engine import Player
from azul_ai.search.searcher import Found, RootMove
from azul_ai.settings import Limit, SettingError, make_searcher, split_settings

FACTOR = 50
"""How much longer the long search is."""
TOP = 4
"""So many of the best moves are compared."""
BUDGETS = {
    "ismcts": [Limit(iterations=number) for number in (150, 700, 3000)],
    "expectimax": [Limit(nodes=number) for number in (1000, 6000, 36_000)],
}
RANDOM = 0.15
"""How often a bot plays any move, so that positions are not all well played."""
PER_GAME = 4
"""Positions taken from a game."""
PLAYERS = (2, 3, 4)


@dataclass(frozen=True, slots=True)
class Case:
    """A position that an engine searches.

    ``side``: that of Sintra's board, else ""; ``fits``: the fingerprint of settings and evaluation.
    """

    game: str
    side: str
    players: int
    engine: str
    objective: str
    position: int
    fits: str


@dataclass(frozen=True, slots=True)
class Sample:
    """A move of a search: what is known of it, and the values that the long search says.

    ``budget``: iterations or nodes asked for; ``rank`` from 1.
    """

    case: Case
    budget: int
    rank: int
    known: Subject
    truth: Numbers


def main() -> None:
    """Measure, and write line by line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--game", action="append", choices=games.NAMES)
    parser.add_argument("--side", action="append", choices=("A", "B"), help="of Sintra's boards")
    parser.add_argument("--players", type=int, action="append", choices=PLAYERS)
    parser.add_argument("--engine", action="append", choices=tuple(BUDGETS))
    parser.add_argument("--objective", action="append", choices=tuple(engines.OBJECTIVES))
    parser.add_argument("--evaluation", help="default: the game's, by number of players")
    parser.add_argument("--positions", type=int, default=200, help="of each number of players")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    chosen, players = options.game or ["azul"], options.players or PLAYERS
    try:
        for name, count in itertools.product(chosen, players):
            searcher_and_evaluation(name, next(iter(BUDGETS)), count, options.evaluation)
    except SettingError as error:
        parser.error(f"--evaluation: {error}")
    known = set(read(options.out)) if options.out.exists() else set()
    objectives = options.objective or ["win"]
    with options.out.open("a", encoding="utf-8") as file:
        for name in chosen:
            sides = options.side or ("A", "B")
            for number, (count, side, state) in enumerate_positions(name, sides, players, options):
                for engine, objective in itertools.product(options.engine or BUDGETS, objectives):
                    fits = fingerprint_of(name, engine, count, options.evaluation)
                    case = Case(name, side, count, engine, objective, number, fits)
                    if case not in known:
                        samples = list(measure(case, state, options.evaluation))
                        file.write(json.dumps(to_line(case, samples)) + "\n")
                        file.flush()


@functools.cache
def fingerprint_of(name: str, engine: str, players: int, evaluation: str | None = None) -> str:
    """That of the default settings and an evaluation, None: the default's."""
    return fingerprint(*searcher_and_evaluation(name, engine, players, evaluation))


@functools.cache
def searcher_and_evaluation(name: str, engine: str, players: int, evaluation: str | None) -> Any:
    """Both with the default settings."""
    chosen = {} if evaluation is None else {"evaluation": evaluation}
    settings, loaded = split_settings(name, chosen, players)
    return make_searcher(engine, settings), loaded


def to_line(case: Case, samples: Sequence[Sample]) -> dict[str, Any]:
    """The JSON object of a position."""
    listed = [dataclasses.asdict(sample) for sample in samples]
    for sample in listed:
        del sample["case"]
    return {**dataclasses.asdict(case), "samples": listed}


def read(*paths: Path) -> dict[Case, list[Sample]]:
    """The samples of some files by position, without a last line that was not finished."""
    found = {}
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines(keepends=True):
            if not line.endswith("\n"):
                continue
            document = json.loads(line)
            listed = document.pop("samples")
            case = Case(**document)
            found[case] = [
                Sample(case, each["budget"], each["rank"], Subject(**each["known"]), each["truth"])
                for each in listed
            ]
    return found


# --- positions ------------------------------------------------------------------------------


def enumerate_positions(
    name: str, sides: Sequence[str], players: Sequence[int], options: argparse.Namespace
) -> Iterator[tuple[int, tuple[int, str, Any]]]:
    """Numbered positions, of all numbers of players in turn: number, (players, side, state)."""
    streams = [positions(name, sides, count, options.seed) for count in players]
    for number in range(options.positions):
        for stream in streams:
            yield number, next(stream)


def positions(
    name: str, sides: Sequence[str], players: int, seed: int
) -> Iterator[tuple[int, str, Any]]:
    """States with a choice, some from each of as many games as are needed, and their side."""
    player = Player(name, "ismcts", Limit(iterations=200))
    turns = itertools.cycle(sides if games.has_sides(name) else ("",))
    for number, side in zip(itertools.count(seed), turns, strict=False):
        states = list(decisions(player, name, side, players, number))
        draw = np.random.default_rng(number)
        chosen = draw.choice(len(states), min(PER_GAME, len(states)), replace=False)
        for index in sorted(chosen):
            yield players, side, states[index]


def decisions(player: Player, name: str, side: str, players: int, seed: int) -> Iterator[Any]:
    """The states of a game in which the player to move has a choice."""
    choices, deals = np.random.default_rng(seed), rng.new(seed)
    options = {"side": side} if side else {}
    state = games.new_game(name, players, seed=seed, **options)
    moves = np.zeros(game.MAX_MOVES, dtype=np.int64)
    while state["stage"] != game.OVER:
        if state["stage"] == game.DEAL:
            game.deal_round(state, deals)
            continue
        number = game.list_moves(state, moves, True)
        if number > 1:
            yield state.copy()
        if choices.random() < RANDOM:
            game.play(state, int(choices.choice(moves[:number])))
        else:
            game.play(state, player.choose(state, seed))


def phase(moves: int) -> str:
    """The part of a round, told by the number of candidate moves."""
    return "begin" if moves > 60 else "middle" if moves > 20 else "end"


# --- searches -------------------------------------------------------------------------------


def measure(case: Case, state: Any, evaluation: str | None) -> Iterator[Sample]:
    """The samples of a position."""
    candidates = legal_moves(state)
    objective = engines.OBJECTIVES[case.objective]
    search = functools.partial(find, state, case, evaluation)
    for limit in BUDGETS[case.engine]:
        (name, budget), *_ = limit.given().items()
        quick = search(limit, candidates)
        best = quick.moves[0]
        compared = [
            (rank, move)
            for rank, move in enumerate(quick.moves[:TOP], 1)
            if move.exact and move.visits and not move.complete
        ]
        if not compared:
            continue
        long = search(Limit(**{name: FACTOR * budget}), candidates)
        truths = values_of([best, *(move for _, move in compared)], long, search)
        leader = dataclasses.replace(long, moves=[truths[best.move]])
        for rank, move in compared:
            truth = subject(state, objective, leader, truths[move.move]).values
            yield Sample(case, budget, rank, subject(state, objective, quick, move), truth)


def values_of(
    moves: Sequence[RootMove], long: Found, search: Callable[[Limit, Any], Found]
) -> dict[int, RootMove]:
    """What the long search says of some moves; where it has only bounds, searched to its depth."""
    known = {move.move: move for move in long.moves if move.exact}
    missing = sorted({move.move for move in moves if move.move not in known})
    if missing:
        limit = Limit(depth=long.moves[0].depth)
        more = search(limit, np.array(missing, dtype=np.int64))
        known |= {move.move: move for move in more.moves}
    return {move.move: known[move.move] for move in moves}


def legal_moves(state: Any) -> Any:
    """The distinct legal moves."""
    moves = np.zeros(game.MAX_MOVES, dtype=np.int64)
    return moves[: game.list_moves(state, moves, True)].copy()


def find(state: Any, case: Case, evaluation: str | None, limit: Limit, candidates: Any) -> Found:
    """What an engine finds with the default settings and an evaluation."""
    searcher, loaded = searcher_and_evaluation(case.game, case.engine, case.players, evaluation)
    problem = engines.make_problem(
        state,
        loaded.model,
        candidates,
        limit,
        objective=engines.OBJECTIVES[case.objective],
        top=TOP,
    )
    return engines.run(searcher, problem, limit, 1).found


if __name__ == "__main__":
    main()
