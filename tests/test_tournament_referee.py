from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from azul_ai import game, games, position
from azul_ai.games import azul
from azul_ai.settings import SettingError
from azul_ai.tournament import bots, players, referee, replay, report, schedule, worker
from azul_ai.tournament.bot import Bot, BotError
from azul_ai.tournament.deals import BagOrder
from azul_ai.tournament.process import ProcessBot
from azul_ai.tournament.records import Game
from azul_ai.tournament.settings import Settings
from azul_ai.version import __version__

EXAMPLE = Path(__file__).parent.parent / "benchmarks" / "example_bot.py"


def played(*entrants: str, **changes: Any) -> list[list[Game]]:
    """The games of a tournament, by group."""
    parsed = tuple(players.parse(text) for text in entrants)
    chosen = schedule.complete(Settings(**{"game": "azul", "players": parsed, **changes}))
    return [worker.play_group(group, __version__) for group in schedule.groups(chosen)]


def without_names(game_: Game) -> Game:
    return replace(game_, game=0, players=[], seconds=[])


# --- luck is the same for all -----------------------------------------------------------


@pytest.mark.parametrize("engine", ["random", "greedy", "ismcts,iterations=15"])
def test_pairs_of_identical_bots_tie_exactly(engine: str) -> None:
    for first, second in played(f"name=a,engine={engine}", f"name=b,engine={engine}", games=4):
        assert without_names(first) == without_names(second)
        assert first.names == second.names[::-1]
        assert report.pair_score([first, second], "a", "b") == 0.5


@pytest.mark.parametrize("name", games.NAMES)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_groups_of_identical_bots_tie_exactly(name: str, seats: int) -> None:
    entrants = [f"name={letter},engine=random" for letter in "abcd"[:seats]]
    for group in played(*entrants, game=name, seats=seats, games=1):
        shares = dict.fromkeys(group[0].names, 0.0)
        for game_ in group:
            assert without_names(game_) == without_names(group[0])
            for player, share in zip(game_.names, game_.shares, strict=True):
                shares[player] += share
        assert list(shares.values()) == pytest.approx([1.0] * seats)


def test_two_bots_share_three_seats_in_every_way() -> None:
    (group,) = played("name=a,engine=random", "name=b,engine=random", seats=3, games=1)
    assert ["".join(game_.names) for game_ in group] == ["aab", "aba", "abb", "baa", "bab", "bba"]
    assert report.pair_score(group, "a", "b") == pytest.approx(0.5)


def test_with_two_players_five_deals_depend_on_no_move() -> None:
    wild = [game_ for group in played("engine=random", "name=r,engine=random") for game_ in group]
    tame = [game_ for group in played("engine=greedy", "name=g,engine=greedy") for game_ in group]
    assert len(wild) == len(tame) == 100
    compared = 0
    for first, second in zip(wild, tame, strict=True):
        rounds = min(5, len(first.deals), len(second.deals))
        assert first.deals[:rounds] == second.deals[:rounds]
        compared += first.moves[:20] != second.moves[:20]
    assert compared > 90


def test_games_follow_the_rules_and_are_scored_by_them() -> None:
    bots_ = ("engine=greedy", "engine=random", "name=s,engine=random")
    for group in played(*bots_, seats=3, games=6):
        for game_ in group:
            *_, (state, _) = replay.steps(game_)
            assert state["stage"] == game.OVER
            points = np.zeros(game.MAX_PLAYERS, dtype=np.int64)
            game.result(state, points, points.copy())
            assert game_.points == points[:3].tolist()
            best = max(game_.points)
            assert all(game_.points[seat] == best for seat in range(3) if game_.shares[seat])
            assert sum(game_.shares) == pytest.approx(1)
            assert sum(game_.ranks) == 6


def test_games_start_from_positions_in_turn() -> None:
    codes = []
    for seed in (3, 4):
        state = azul.new_state(2)
        game.lay_out_round(state, BagOrder(state, seed).deal(state))
        game.play(state, game.draw_move(state, np.array([seed], dtype=np.uint64)))
        codes.append(position.from_state(state).code)
    groups = played("engine=random", "engine=greedy", positions=tuple(codes), games=6)
    assert [group[0].start for group in groups] == [codes[0], codes[1], codes[0]]
    assert {game_.first for group in groups for game_ in group} == {1}
    assert groups[0][0].seed != groups[2][0].seed
    for group in groups:
        for game_ in group:
            *_, (state, _) = replay.steps(game_)
            assert state["stage"] == game.OVER


def test_what_a_position_hides_is_the_same_for_every_seating() -> None:
    text = (Path(__file__).parent / "data" / "tournament_unknown_lid.toml").read_text()
    code = position.parse(text).code
    groups = played("engine=greedy", "name=g,engine=greedy", positions=(code,), games=6)
    for first, second in groups:
        assert first.deals == second.deals
    assert len({tuple(group[0].deals) for group in groups}) == 3


# --- bots that fail ---------------------------------------------------------------------


class Stub:
    """A bot that answers as told; its states are its own to spoil."""

    def __init__(self, answer: Callable[[Any], int]) -> None:
        self._answer = answer

    def choose(self, state: Any, seed: int) -> int:
        del seed
        return self._answer(state)

    def kernels(self, state: Any) -> Sequence[Any]:
        del state
        return []


def first_legal(state: Any) -> int:
    moves = np.zeros(game.MAX_MOVES, dtype=np.int64)
    game.list_moves(state, moves, True)
    return int(moves[0])


def spoil(state: Any) -> int:
    move = first_legal(state)
    for name in state.dtype.names:
        state[name] = np.zeros_like(state[name])
    return move


def crash(state: Any) -> int:
    raise ZeroDivisionError(f"stage {state['stage']}")


def test_a_bot_cannot_change_the_game() -> None:
    honest: list[Bot] = [Stub(first_legal), Stub(first_legal)]
    vandals: list[Bot] = [Stub(spoil), Stub(first_legal)]
    start = azul.new_state(2)
    expected, found = (referee.play(start, table, 5) for table in (honest, vandals))
    assert found.moves == expected.moves
    assert found.points == expected.points


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (crash, "crashed: ZeroDivisionError: stage 0"),
        (lambda _: 1 << 20, "illegal move 1048576"),
    ],
)
def test_a_failure_loses_the_game(answer: Callable[[Any], int], reason: str) -> None:
    table: list[Bot] = [Stub(first_legal), Stub(answer), Stub(first_legal)]
    result = referee.play(azul.new_state(3), table, 5)
    assert result.failure == referee.Failure(1, reason)
    assert result.points is None
    assert result.shares == [0.5, 0.0, 0.5]
    assert result.ranks == [1.5, 3, 1.5]
    assert len(result.moves) == 1


# --- bots in other programs -------------------------------------------------------------


BAD_BOT = """
import json, os, sys, time
for number, line in enumerate(sys.stdin, 1):
    moves = json.loads(line)["moves"]
    if number == 3:
        {fault}
    print(json.dumps({{"move": moves[0]}}), flush=True)
"""

FAULTS = {
    "raise ValueError('oops')": "ended with exit code 1: ValueError: oops",
    "sys.exit(5)": "ended with exit code 5",
    "time.sleep(60)": "no answer within 0.5 s",
    "os.close(1); time.sleep(60)": "closed its standard output",
    "print('hello', flush=True)": 'answered \'hello\' instead of {"move": "…"}',
    "print('[]', flush=True)": 'answered \'[]\' instead of {"move": "…"}',
    'print(\'{"move": "F9-B-1"}\', flush=True)': "illegal move: F9-B-1 is not legal: "
    "there is no display 9; they are numbered 1-5, the center is C.",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_an_outside_bot_that_fails_is_started_anew(fault: str, tmp_path: Path) -> None:
    script = tmp_path / "bot.py"
    script.write_text(BAD_BOT.format(fault=fault))
    timeout = 0.5 if "0.5" in FAULTS[fault] else 20
    outside = ProcessBot([sys.executable, str(script)], None, timeout)
    table: list[Bot] = [Stub(first_legal), outside]
    try:
        for _ in range(2):  # at its third move, both times: it began anew
            result = referee.play(azul.new_state(2), table, 5)
            assert result.failure == referee.Failure(1, FAULTS[fault])
            assert len(result.moves) in (4, 5)
    finally:
        outside.close()


def test_a_program_that_cannot_start() -> None:
    outside = ProcessBot(["/dev/null"], None, 1)
    state = azul.new_state(2)
    game.lay_out_round(state, BagOrder(state, 1).deal(state))
    with pytest.raises(BotError, match="cannot be started: Permission denied"):
        outside.choose(state, 1)


def test_the_example_bot_plays_whole_games_that_repeat() -> None:
    command = f'engine=process,name=example,command="{sys.executable} {EXAMPLE}"'
    first = played(command, "engine=greedy", games=2)
    again = played(command, "engine=greedy", games=2)
    assert [without_names(g) for g in first[0]] == [without_names(g) for g in again[0]]
    assert all(game_.failure is None for game_ in first[0])
    off_floor = [move for game_ in first[0] for move in game_.moves if "floor" not in move]
    assert len(off_floor) > 60


@pytest.mark.parametrize(
    ("entrant", "field"),
    [
        ("engine=gredy", "gredy.engine"),
        ("name=p,engine=process", "p.command"),
        ("name=p,engine=process,command=no-such-program", "p.command"),
        ("name=p,engine=process,command=true,timeout=0", "p.timeout"),
        ("name=p,engine=process,command=true,depth=3", "p.depth"),
        ("name=p,engine=process,command=true,strength=3", "p.strength"),
        ("name=r,engine=random,time=1", "r.time"),
        ("name=g,engine=greedy,iterations=4", "g.iterations"),
        ("name=i,engine=ismcts,expolration=2", "i.set.expolration"),
        ("name=i,engine=ismcts,objective=fun", "i.objective"),
    ],
)
def test_bots_that_cannot_be_made(entrant: str, field: str) -> None:
    with pytest.raises(SettingError) as caught:
        bots.make(players.parse(entrant), "azul")
    assert caught.value.field == field


def test_a_worker_of_another_version_plays_nothing() -> None:
    chosen = Settings("azul", (players.parse("engine=random"), players.parse("engine=greedy")))
    group = next(schedule.groups(schedule.complete(chosen)))
    with pytest.raises(worker.VersionError, match="version"):
        worker.play_group(group, "0.0.0")
