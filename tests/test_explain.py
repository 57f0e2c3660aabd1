"""Explanations: every fact and every claim of a sentence is replayed with the slow rules."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import Result
from hypothesis import given, settings
from hypothesis import strategies as st

import azul_ai
from azul_ai import explain, game, games, rng
from azul_ai.engine import Player
from azul_ai.explain import Explanation, explanation
from azul_ai.notation import format_move, parse_move
from azul_ai.position import from_state, parse, to_state
from azul_ai.settings import Limit
from tests.conformance.pair import Pair, decisions
from tests.explaining import check
from tests.explaining_palace import PalaceReplay
from tests.explaining_walls import WallReplay
from tests.oracle import games as oracles
from tests.oracle.positions import board, position
from tests.playing import VARIANTS, legal_moves, random_states

POSITIONS = Path(__file__).parent.parent / "positions"
REPLAYS = {"azul": WallReplay, "azul-gray": WallReplay, "sintra": PalaceReplay}


def pair_of(state: Any) -> Pair:
    """The state beside the oracle's; not within a secret phase."""
    return Pair(state, oracles.from_dict(from_state(state).to_dict()))


def replay(pair: Pair, *moves: int) -> Counter[str]:
    """Explain one move against another, and check all that is said."""
    names = [format_move(pair.compiled, move) for move in moves]
    found = explain.explain(pair.compiled, *([move] for move in moves), names=names)
    return check(pair, found, REPLAYS[games.of(pair.compiled).NAME])


# --- claims ------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
@settings(max_examples=3)
@given(players=st.integers(2, 4), seed=st.integers(0, 2**32))
def test_every_claim_holds_when_it_is_replayed(variant: str, players: int, seed: int) -> None:
    """Two legal moves of any position, good or bad, each led on by the one-ply player."""
    choices = np.random.default_rng(seed)
    for pair in decisions(variant, players, seed, every=3 * players):
        moves = legal_moves(pair.compiled)
        if len(moves) > 1:
            replay(pair, *(int(move) for move in choices.choice(moves, 2, replace=False)))


KINDS = {
    "azul": {"result", "points", "floor", "start", "column", "column progress", "waiting"},
    "azul-gray": {"result", "points", "floor", "start", "column progress", "color progress"},
    "sintra-A": {"result", "points", "glass", "start", "bonus", "strip progress", "glazier"},
    "sintra-B": {"result", "points", "glass", "start", "bonus", "waiting", "glazier"},
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_all_kinds_of_reasons_are_replayed(variant: str) -> None:
    """So that the test above leaves none out; played well, since columns want completing."""
    name, _ = VARIANTS[variant]
    player, seen = Player(name, "greedy", Limit()), Counter[str]()
    for seed in range(2):
        pair, deals = Pair.new(variant, 2 + seed % 2, seed), rng.new(seed)
        while pair.compiled.stage != game.OVER:
            if pair.compiled.stage == game.DEAL:
                pair.deal(deals)
                continue
            best = player.choose(pair.compiled, 0)
            for other in legal_moves(pair.compiled, distinct=True)[::40]:
                if other != best:
                    seen += replay(pair, best, other)
            pair.play(format_move(pair.compiled, best))
    assert set(seen) >= KINDS[variant]


@pytest.mark.parametrize(
    ("name", "move", "other", "kind"),
    [
        ("overflow-to-the-lid-A04", "F1-R-3", "F1-R-2", "ending"),
        ("two-colors-left-2p", "C-B-5", "C-Y-3", "floor"),
        ("marker-for-four-red-4p", "C-R-4", "F1-Y-1", "points"),
    ],
)
def test_rare_reasons_are_replayed(name: str, move: str, other: str, kind: str) -> None:
    pair = pair_of(to_state(azul_ai.load(str(POSITIONS / f"{name}.toml"))))
    moves = [parse_move(pair.compiled, text) for text in (move, other)]
    assert replay(pair, *moves)[kind]
    replay(pair, *reversed(moves))


def test_the_fifth_tile_of_a_color_is_a_reason() -> None:
    walls = ["B....", ".B...", "..B..", "...B.", "....."]
    players = [board(8, ["", "", "", "", "BBBB"], walls), board()]
    document = position(["BKKK"], "1", players, round=5)
    found = said_of(document, "F1-B-5", "F1-B-floor")
    assert "you complete all five blue" in found.sentence
    assert "color" in [reason.kind for reason in found.reasons]


def test_a_line_that_falls_is_a_reason() -> None:
    """Row 1 has one cell left, and its column holds red already."""
    wall = ["BY.KW", "..R..", ".....", ".....", "....."]
    players = [board(10, wall=wall), board()]
    document = position(["RBBB"], "1", players, round=5, game="azul-gray")
    found = said_of(document, "F1-R-3", "F1-R-1")
    assert "your line 1 does not fall to the floor" in found.sentence
    fallen = [line.of(1)["fallen"] for line in (found.best, found.other) if line]
    assert fallen == [[], [{"line": 1, "color": "R"}]]


def said_of(document: dict[str, Any], *names: str) -> Explanation:
    """The explanation of a position in which tiles need not add up, checked."""
    state = to_state(parse(json.dumps(document), check_counts=False))
    moves = [parse_move(state, name) for name in names]
    replay(pair_of(state), *moves)
    return explain.explain(state, *([move] for move in moves), names=names)


# --- what people read --------------------------------------------------------------------


POISONED = (
    "C-Y-floor drops one yellow on the floor and leaves black to your opponent, who must drop "
    "four; compared with the line of C-K-floor, you lose 1 on the floor instead of 6 and your "
    "opponent loses 11 on the floor instead of 4."
)
LAST_ROUND = (
    "F1-R-5 fills line 5 exactly; compared with the line of F1-B-floor, you win 65 to 57 instead "
    "of losing 52 to 54."
)


@pytest.mark.parametrize(
    ("name", "sentence"), [("poisoned-center-F01", POISONED), ("last-round-F03", LAST_ROUND)]
)
def test_a_sentence_in_the_words_of_a_player(name: str, sentence: str) -> None:
    position = azul_ai.load(str(POSITIONS / f"{name}.toml"))
    found = azul_ai.analyze(position, engine="expectimax", limit=Limit(depth=20), explain=True)
    assert found.explanation is not None
    assert found.explanation.sentence == sentence


def test_the_line_of_the_search_comes_first() -> None:
    position = azul_ai.load(str(POSITIONS / "opening-2p.toml"))
    found = azul_ai.analyze(position, engine="expectimax", limit=Limit(depth=3), explain=True)
    best, other = found.explanation.best, found.explanation.other  # type: ignore[union-attr]
    assert best.moves[: best.searched] == found.moves[0].pv
    assert other.moves[: other.searched] == found.moves[1].pv
    assert len(best.moves) > best.searched == 3
    check(pair_of(to_state(position)), found.explanation, WallReplay)  # type: ignore[arg-type]


def test_a_move_can_be_asked_about() -> None:
    position = azul_ai.load(str(POSITIONS / "opening-2p.toml"))
    asked = {"engine": "ismcts", "limit": Limit(iterations=300), "explain": True}
    found = azul_ai.analyze(position, show=("F1-B-5",), **asked)
    assert found.explanation.other.move == "F1-B-5"  # type: ignore[union-attr]
    assert "compared with the line of F1-B-5" in found.explanation.sentence  # type: ignore[union-attr]
    best = found.moves[0].move
    found = azul_ai.analyze(position, show=(best,), **asked)
    assert found.explanation.other.move == found.moves[1].move  # type: ignore[union-attr]


def test_an_only_move_has_nothing_to_be_compared_with() -> None:
    position = azul_ai.load(str(POSITIONS / "opening-2p.toml"))
    found = azul_ai.analyze(position, moves=("F1-B-1",), limit=Limit(iterations=50), explain=True)
    explained = found.explanation
    assert explained is not None
    assert explained.other is None
    assert explained.sentence == "F1-B-1 fills line 1 exactly; there is no other move."


def test_the_json_has_it_as_fields() -> None:
    position = azul_ai.load(str(POSITIONS / "poisoned-center-F01.toml"))
    asked = {"engine": "expectimax", "limit": Limit(depth=2)}
    assert "explanation" not in azul_ai.analyze(position, **asked).to_dict()
    found = azul_ai.analyze(position, explain=True, **asked)
    written = json.loads(json.dumps(found.to_dict(), allow_nan=False))["explanation"]
    assert written == json.loads(json.dumps(asdict(found.explanation)))  # type: ignore[call-overload]
    assert list(written) == ["best", "other", "reasons", "sentence"]
    opponent = written["best"]["players"][1]
    assert (opponent["points"], opponent["wall"], opponent["floor"]) == (-1, 8, 11)
    assert written["best"]["turns"][1]["least"] == 4


def test_the_command_prints_it(run: Callable[..., Result]) -> None:
    path = POSITIONS / "poisoned-center-F01.toml"
    text = " ".join(run("analyze", path, "--depth", 2, "--explain", "--quiet").stdout.split())
    assert "Why: C-Y-floor drops one yellow" in text
    assert "Why:" not in run("analyze", path, "--depth", 2, "--quiet").stdout


def test_a_game_without_explanations_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explanation, "_MODULES", {})
    position = azul_ai.load(str(POSITIONS / "opening-2p.toml"))
    found = azul_ai.analyze(position, limit=Limit(iterations=50), explain=True)
    assert found.explanation is None
    assert "there are no explanations for azul yet" in found.warnings


def test_moves_of_a_line_are_legal_moves() -> None:
    """A line that a search did not finish is led on until the round ends, and no further."""
    state = next(s for s in random_states(3, seed=9) if s.stage == game.DECISION)
    first = parse_move(state, format_move(state, legal_moves(state)[0]))
    line = explain.explain(state, [first], names=["x"]).best
    replayed = WallReplay(pair_of(state), line)
    assert replayed.end.stage == "deal"
    assert all(past.stage == "decision" for past in replayed.states[:-1])
