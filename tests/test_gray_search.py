"""Both searchers with the gray wall: known answers, and nobody sees what he may not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from azul_ai import game, notation, position
from azul_ai.analyzer import analyze
from azul_ai.position import Position
from azul_ai.settings import Limit
from tests.oracle.positions import board
from tests.oracle.positions import position as document

DATA = Path(__file__).parent / "data" / "perft_gray_sintra.json"
SOLVED = [
    case
    for case in json.loads(DATA.read_text())["solved"]
    if case["position"]["game"] == "azul-gray"
]
LIMITS = {"ismcts": Limit(iterations=2000), "expectimax": Limit(depth=3)}
ALL = 500


@pytest.mark.parametrize("evaluation", ["handmade", "learned"])
@pytest.mark.parametrize("case", SOLVED, ids=lambda case: f"{case['states']} states")
def test_solved_last_rounds(case: dict[str, Any], evaluation: str) -> None:
    start = position.parse(json.dumps(case["position"]))
    found = analyze(
        start,
        engine="expectimax",
        objective="diff",
        limit=Limit(depth=40),
        settings={"evaluation": evaluation},
        top=ALL,
    )
    assert {move.move: move.diff for move in found.moves} == pytest.approx(dict(case["moves"]))
    assert {move.bound for move in found.moves} == {"exact"}


LINES = ["B", "YY", "", "KKKK", ""]
WALL = (".RK..", "...B.", ".....", ".....", ".....")


def second_to_choose(*chosen: str) -> Position:
    """Wall-tiling in which player 1 has chosen and player 2 decides."""
    players = [board(6, LINES, WALL), board(6, LINES, WALL, "1")]
    written = document([], "", players, game="azul-gray", bag="", round=3)
    state = position.to_state(position.parse(json.dumps(written)))
    for move in chosen:
        game.play(state, notation.parse_move(state, move))
    assert state["mover"] == 1
    return position.from_state(state)


@pytest.mark.parametrize("engine", LIMITS)
def test_what_others_chose_in_the_same_phase_is_not_known(engine: str) -> None:
    seen = [
        analyze(second_to_choose(*chosen), engine=engine, limit=LIMITS[engine], top=ALL).moves
        for chosen in (
            ("wall-1-1", "wall-2-1", "wall-4-1"),
            ("wall-1-5", "wall-2-5", "wall-4-4"),
        )
    ]
    assert seen[0] == seen[1]


@pytest.mark.parametrize(
    ("engine", "setting", "error"),
    [("expectimax", "multiplayer=paranoid", 0.0), ("ismcts", "exploration=0.3", None)],
)
def test_where_no_error_is_missing_nothing_is_said_of_errors(
    engine: str, setting: str, error: float | None
) -> None:
    """Neither is calibrated, but in a last phase expectimax leaves nothing open."""
    start = second_to_choose("wall-1-1", "wall-2-1", "wall-4-1")
    settings = dict([setting.split("=")])
    found = analyze(start, engine=engine, limit=LIMITS[engine], settings=settings, top=ALL)
    assert {move.win_se for move in found.moves} == {error}
    assert any("calibrated" in text for text in found.warnings) == (error is None)


def test_the_last_cell_of_a_row_is_kept_free() -> None:
    """Red in row 1, column 3 would bar the last cell of row 2, and with it the row."""
    players = [board(9, ["R", "RR", "", "", ""], (".....", "BY.KW", *(".....",) * 3)), board()]
    written = document([], "1", players, game="azul-gray", bag="")
    start = position.parse(json.dumps(written))
    for engine, limit in LIMITS.items():
        assert analyze(start, engine=engine, limit=limit).moves[0].move != "wall-1-3"
