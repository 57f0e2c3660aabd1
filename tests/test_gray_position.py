"""Positions with the gray wall: what is wrong is named, and choices survive every form."""

from __future__ import annotations

import json
from typing import Any

import pytest

from azul_ai import notation
from azul_ai.position import Fault, Position, PositionError, from_code, from_state, parse, to_state
from tests.oracle.positions import board
from tests.oracle.positions import position as document

pytestmark = pytest.mark.nojit

WALL = ("BY.KW", ".....", ".....", ".....", ".....")


def written(*placed: str, wall: tuple[str, ...] = WALL, **others: Any) -> Position:
    """Wall-tiling in which player 1 has two full lines, red and yellow."""
    first = {**board(9, ["R", "YY", "", "", ""], wall), "placed": list(placed)}
    keys = {"game": "azul-gray", "bag": "", **others}
    return parse(json.dumps(document([], "", [first, board(floor="1")], **keys)))


def only_fault(*placed: str, **others: Any) -> Fault:
    with pytest.raises(PositionError) as caught:
        written(*placed, **others)
    (fault,) = caught.value.faults
    assert fault.hint.endswith(".")
    return fault


@pytest.mark.parametrize(
    ("placed", "field", "reason"),
    [
        (["wall-1-9"], "players[0].placed[0]", "is no placement"),
        (["wall-3-1"], "players[0].placed[0]", "line 3 of player 1 is not full"),
        (["wall-2-1"], "players[0].placed[0]", "not the next line to place; full lines are 1 and"),
        (["wall-1-1"], "players[0].placed[0]", "row 1, column 1 holds blue already"),
        (["wall-1-3", "wall-2-2"], "players[0].placed[1]", "column 2 has yellow already, in row 1"),
    ],
)
def test_placements_that_were_not_possible(placed: list[str], field: str, reason: str) -> None:
    fault = only_fault(*placed)
    assert fault.field == field
    assert reason in fault.reason


@pytest.mark.parametrize(
    ("row", "cells", "reason"),
    [
        (1, "R..R.", "Row 2 of player 1 has red twice"),
        (1, "B....", "Column 1 of player 1 has blue twice"),
        (1, "x....", 'The wall has "x" in row 2 of player 1'),
        (1, "....", "The wall has 4 cells in row 2 of player 1"),
    ],
)
def test_cells_that_cannot_be(row: int, cells: str, reason: str) -> None:
    wall = (*WALL[:row], cells, *WALL[row + 1 :])
    fault = only_fault(wall=wall)
    assert fault.field == f"players[0].wall[{row}]"
    assert reason in fault.reason


def test_the_mover_must_be_the_one_who_decides() -> None:
    fault = only_fault(to_move=2)
    assert fault.field == "to_move"
    assert "player 1 has line 1 to place" in fault.reason


def test_choices_survive_every_form() -> None:
    position = written("WALL-1-3")
    assert position.players[0].placed == ("wall-1-3",)
    assert position == from_code(position.code) == parse(position.to_toml())
    assert from_state(to_state(position)).players == position.players


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("wall-1-1", "row 1, column 1 holds blue already"),
        ("wall-2-1", "player 1 now places the tile of line 1"),
        ("F1-B-1", "write the cell, such as wall-1-3"),
    ],
)
def test_moves_that_are_not_legal(text: str, reason: str) -> None:
    with pytest.raises(notation.MoveError, match=reason):
        notation.parse_move(to_state(written()), text)
