"""One game as both programs see it: the compiled rules and the oracle, side by side."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from azul_ai import game, games, notation, position, rng
from tests.oracle import games as oracles
from tests.oracle import gray, supply
from tests.playing import legal_moves, new_state

STAGES = {
    game.DECISION: supply.DECISION,
    game.DEAL: supply.DEAL,
    game.OVER: supply.OVER,
}
ASSUMED = {"start", "next_start"}
"""Keys that a position leaves out where they follow from others; compared by the state."""

TEXTS = {"factories", "center", "lines", "wall", "floor", "filled", "windows", "indicator"}
NUMBERS = {"bag", "lid", "tower"}
"""Where tiles are in a position, written as letters or as numbers."""


class Pair:
    """A state of the compiled game and the oracle's state, which must always agree."""

    def __init__(self, compiled: Any, oracle: Any) -> None:
        self.compiled, self.oracle = compiled, oracle
        self.rules = oracles.of(oracle)

    @classmethod
    def new(cls, name: str, players: int, seed: int = 1) -> Pair:
        """A new game before the first deal.

        :param seed: of what is random then.
        """
        compiled = new_state(name, players, seed)
        if games.of(compiled).NAME == "sintra":  # what is printed is part of the position
            document = position.from_state(compiled).to_dict()
            return cls(compiled, oracles.from_dict(document))
        return cls(compiled, oracles.GAMES[name].new_state(players))

    def copy(self) -> Pair:
        """An independent copy."""
        return Pair(self.compiled.copy(), self.oracle)

    def document(self) -> dict[str, Any]:
        """The position of the compiled state, by the keys of a file."""
        return position.from_state(self.compiled).to_dict()

    def moves(self) -> dict[str, int]:
        """All legal moves by their names, which are different."""
        moves = legal_moves(self.compiled) if self.compiled.stage == game.DECISION else []
        named = {notation.format_move(self.compiled, move): move for move in moves}
        assert len(named) == len(moves)
        return named

    def play(self, move: str) -> None:
        """Play a legal move, given by its name."""
        game.play(self.compiled, self.moves()[move])
        self.oracle = self.rules.play(self.oracle, move)

    def deal(self, generator: Any) -> None:
        """Draw a deal from the compiled game and give it to the oracle."""
        game.deal_round(self.compiled, generator)
        dealt = self.document()["factories"]
        self.oracle = self.rules.deal(self.oracle, [list(display) for display in dealt])

    def check(self, conserved: bool = True) -> None:
        """Assert that both say the same of where the game stands and what may be played.

        :param conserved: whether all colors must have all their tiles, too.
        """
        state, oracle = self.compiled, self.oracle
        assert STAGES[int(state.stage)] == oracle.stage
        holder = None if state.holder < 0 else state.holder
        assert (state.mover, state.start, holder) == (oracle.mover, oracle.start, oracle.holder)
        seen = self.document()
        if conserved:
            assert set(tiles_in(seen).values()) == {supply.TILES_PER_COLOR}
        if self.is_secret():
            began, placed = self.as_it_began(seen)
            assert standings(state) == self.rules.standings(began)
            for move in placed:
                began = self.rules.play(began, move)
            seen = self.rules.to_dict(began)
        else:
            assert standings(state) == self.rules.standings(oracle)
        assert without(ASSUMED, seen) == without(ASSUMED, self.rules.to_dict(oracle))
        self.check_moves()

    def is_secret(self) -> bool:
        """Whether the players decide about the gray wall.

        The oracle carries each choice out at once, the compiled game when all have chosen.
        """
        return self.rules is gray and gray.is_tiling(self.oracle)

    def as_it_began(self, document: dict[str, Any]) -> tuple[Any, list[str]]:
        """The oracle's state in which a secret phase began, and the choices made since."""
        choices = [player.get("placed", []) for player in document["players"]]
        deciders = [number for number, chosen in enumerate(choices, 1) if chosen]
        first = min(deciders, default=document["to_move"])
        players = [without({"placed"}, player) for player in document["players"]]
        began = self.rules.from_dict({**document, "to_move": first, "players": players})
        return began, list(itertools.chain(*choices))

    def check_moves(self) -> None:
        """Assert the same moves, the right ones of them distinct, and their number."""
        named = self.moves()
        assert set(named) == set(self.rules.legal_moves(self.oracle))
        if named:
            assert number_of_moves(self.compiled) == len(named)
            distinct = set(legal_moves(self.compiled, distinct=True))
            assert distinct == set(self.representatives(named).values())

    def representatives(self, named: dict[str, int]) -> dict[tuple[str, ...], int]:
        """Of the moves that do the same with equal displays, the one from the first of them."""
        first: dict[tuple[str, ...], int] = {}
        for name in sorted(named):
            source, *rest = name.split("-")
            if source[:1] == "F" and source[1:].isdigit():
                source = "".join(sorted(self.oracle.displays[int(source[1:]) - 1]))
            first.setdefault((source, *rest), named[name])
        return first


def random_game(
    name: str, players: int, seed: int, dump: float = 0.0
) -> Iterator[tuple[Pair, str | None]]:
    """A game of random moves: the pair after each step, and the move if it was one.

    :param dump: how often a player puts everything on the floor, whatever else he could do;
        it makes floors full, rounds many and bags empty.
    """
    choices, deals = random.Random(seed), rng.new(seed)
    pair = Pair.new(name, players, seed)
    yield pair, None
    while pair.oracle.stage != supply.OVER:
        if pair.oracle.stage == supply.DEAL:
            pair.deal(deals)
            yield pair, None
        else:
            moves = pair.rules.legal_moves(pair.oracle)
            if choices.random() < dump:
                moves = [move for move in moves if move.endswith("floor")] or moves
            move = choices.choice(moves)
            pair.play(move)
            yield pair, move


def decisions(name: str, players: int, seed: int, every: int, dump: float = 0.0) -> list[Pair]:
    """Every so-many-th decision of a random game."""
    seen = [pair.copy() for pair, _ in random_game(name, players, seed, dump)]
    return [pair for pair in seen if pair.oracle.stage == supply.DECISION][::every]


def standings(state: Any) -> list[tuple[int, int]]:
    """Every player's final points and what decides between equal ones."""
    points, ties = np.zeros((2, game.MAX_PLAYERS), dtype=np.int64)
    game.result(state, points, ties)
    pairs = itertools.islice(zip(points, ties, strict=True), int(state.players))
    return [(int(own), int(tie)) for own, tie in pairs]


def number_of_moves(state: Any) -> int:
    """The number of legal moves, counted without listing them."""
    pool = np.zeros(2, dtype=state.dtype)
    pool[0] = state
    return int(game.perft_leaves(pool, 1, np.zeros((1, game.MAX_MOVES), dtype=np.int64)))


def without(keys: set[str], document: dict[str, Any]) -> dict[str, Any]:
    """A document without some keys."""
    return {key: value for key, value in document.items() if key not in keys}


def tiles_in(document: dict[str, Any]) -> Counter[str]:
    """How many tiles of each color a position holds, wherever they are."""
    tiles: Counter[str] = Counter()
    for key, value in document.items():
        if key in NUMBERS:
            tiles.update(value)
        elif key in TEXTS:
            tiles.update(filter(str.isalpha, "".join(value)))
        elif isinstance(value, list):
            for part in value:
                if isinstance(part, dict):
                    tiles.update(tiles_in(part))
    return tiles
