"""Networks: features against plain Python, the compiled layers against numpy, files."""

from __future__ import annotations

import functools
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from azul_ai import evaluation, game, rng
from azul_ai.evaluation import azul_features, azul_network, interface, network, vectors, weights
from azul_ai.evaluation.interface import DIFF, POINTS, WIN
from azul_ai.jit import jit
from azul_ai.training import fitting
from azul_ai.training.samples import Samples
from tests.playing import legal_moves, random_states

pytestmark = pytest.mark.nojit

PLAYERS = (2, 3, 4)


@functools.cache
def states(players: int) -> list[Any]:
    """States of two random games, some inside rounds, some waiting for a deal."""
    chosen: list[Any] = []
    for dump in (0.0, 0.4):
        played = [s for s in random_states(players, 7, dump) if s["round"] > 0]
        chosen += [s for s in played if s.stage == game.DEAL]
        chosen += [s for s in played if s.stage == game.DECISION][:: 2 * players + 1]
    return chosen


@functools.cache
def random_model(seed: int = 1) -> Any:
    """A network of random numbers."""
    model = np.zeros(1, dtype=azul_network.MODEL)[0]
    generator = np.random.default_rng(seed)
    for name in network.LAYERS:
        model[name] = generator.normal(0, 0.2, model[name].shape)
    return model


def ends(players: int) -> list[Any]:
    """Those that wait for a deal."""
    return [state for state in states(players) if state.stage == game.DEAL]


def seen_of(state: Any) -> tuple[Any, Any, int]:
    """What the compiled code says a network sees: inputs, scores, starter."""
    pool = np.zeros(1, dtype=state.dtype)
    pool[0] = state
    players = int(state.players)
    nothing = np.zeros((1, players, 3), dtype=np.float32)
    samples = Samples(pool, nothing, nothing, np.zeros(1, dtype=np.int64))
    _, seen = fitting.see(samples, azul_network.INPUTS)
    return seen.inputs[0], seen.scores[0], int(seen.starters[0])


def value_of(model: Any, state: Any) -> Any:
    values = interface.new_values()
    looked_at = np.zeros(1, dtype=state.dtype)
    looked_at[0] = state
    interface.look(model, looked_at[0], values)
    return values[: int(state.players)]


# --- what a network sees ----------------------------------------------------------------


def points_of(wall: Any, row: int, column: int) -> int:
    """What a tile in a cell scores: the lengths of the runs through it."""

    def run(cells: Any, at: int) -> int:
        low = high = at
        while low > 0 and cells[low - 1]:
            low -= 1
        while high < 4 and cells[high + 1]:
            high += 1
        return high - low + 1

    lengths = [run(wall[row], column), run(wall[:, column], row)]
    return sum(length for length in lengths if length > 1) or 1


def plain_board(board: Any) -> dict[tuple[Any, ...], float]:
    """The features of a board after the round, by name."""
    wall = np.array([[int(board["wall"]) >> 5 * r + c & 1 for c in range(5)] for r in range(5)])
    found: Counter[tuple[Any, ...]] = Counter()
    for row, column in np.argwhere(wall):
        found["wall", row, column] += 1
    begun = 0.0
    for row in range(5):
        line = int(board["lines"]) >> 6 * row & 63
        tiles, color = line & 7, line >> 3
        if tiles:
            found["line", row, color] += tiles / (row + 1)
            found["tiles", row, tiles] += 1
            begun += points_of(wall, row, (color + row) % 5) * tiles / (row + 1)
    for row in wall.sum(axis=1):
        if row < 5:
            found["row", row] += 0.5
    for column in wall.sum(axis=0):
        found["column", column] += 0.5
    for color in range(5):
        found["color", sum(wall[r, (color + r) % 5] for r in range(5))] += 0.5
    best = [
        max([points_of(wall, r, c) for c in range(5) if not wall[r, c]] + [0]) for r in range(5)
    ]
    found["score",] = int(board["score"]) / 50
    found["potential",] = sum(best) / 10
    found["begun",] = begun / 10
    return found


def board_names() -> list[tuple[Any, ...]]:
    """The names of a board's features in the order of their places."""
    cells = [("wall", row, column) for row in range(5) for column in range(5)]
    lines = [("line", row, color) for row in range(5) for color in range(5)]
    tiles = [("tiles", row, number) for row in range(1, 5) for number in range(1, row + 1)]
    counts = [("row", n) for n in range(1, 5)]
    counts += [(kind, n) for kind in ("column", "color") for n in range(1, 6)]
    return [*cells, *lines, *tiles, *counts, ("score",), ("potential",), ("begun",)]


@pytest.mark.parametrize("players", PLAYERS)
def test_boards_are_seen_in_turn_order_from_the_next_starter(players: int) -> None:
    names = board_names()
    assert len(names) == azul_features.BOARD
    for state in ends(players):
        inputs, scores, starter = seen_of(state)
        assert starter == state.mover
        for seat in range(players):
            player = (starter + seat) % players
            plain = plain_board(state.boards[player])
            start = azul_features.TABLE + seat * azul_features.BOARD
            seen = inputs[start : start + azul_features.BOARD]
            assert seen == pytest.approx([plain.get(name, 0) for name in names], abs=1e-6)
            assert scores[player] == state.boards[player]["score"]
        assert not inputs[azul_features.TABLE + players * azul_features.BOARD :].any()


@pytest.mark.parametrize("players", PLAYERS)
def test_the_table_is_seen(players: int) -> None:
    assert len(ends(players)) > 8
    for state in ends(players):
        inputs, _, _ = seen_of(state)
        bag = [int(state.bag) >> 6 * color & 63 for color in range(5)]
        expected = [tiles / 20 for tiles in bag]
        expected += [float(min(int(state["round"]), 6) == played) for played in range(1, 7)]
        walls = [int(board["wall"]) for board in state.boards[:players]]
        rows = max((wall >> 5 * row & 31).bit_count() for wall in walls for row in range(5))
        expected += [float(5 - rows == phase) for phase in range(6)]
        assert inputs[: azul_features.TABLE] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("players", PLAYERS)
def test_inside_a_round_a_network_sees_how_the_policy_would_end_it(players: int) -> None:
    looked_at = 0
    for state in states(players):
        if state.stage == game.DECISION:
            after = state.copy()
            interface.play_policy(after, rng.new(0), 0.0)
            if after.stage == game.DEAL:
                looked_at += 1
                assert seen_of(state)[0].tolist() == seen_of(after)[0].tolist()
                assert value_of(random_model(), state).tolist() == (
                    value_of(random_model(), after).tolist()
                )
    assert looked_at > 5


# --- values -----------------------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYERS)
def test_values_are_what_plain_layers_say(players: int) -> None:
    model = random_model()
    layers = [np.array(model[name]) for name in network.LAYERS]
    for state in ends(players):
        inputs, scores, starter = seen_of(state)
        outputs = fitting.forward(layers, inputs[None])[-1].reshape(3, game.MAX_PLAYERS)
        order = [(starter + seat) % players for seat in range(players)]
        to_come = np.zeros((players, 3))
        to_come[order] = outputs[:, :players].T
        logits = np.arcsinh(to_come[:, WIN])
        wins = np.exp(logits) / np.exp(logits).sum()
        points = scores + network.POINTS_UNIT * to_come[:, POINTS]
        best = np.array([max(np.delete(scores, player)) for player in range(players)])
        leads = scores - best + network.POINTS_UNIT * to_come[:, DIFF]
        if players == 2:
            leads = points - points[::-1]
        found = value_of(model, state)
        assert found[:, WIN] == pytest.approx(wins, abs=1e-5)
        assert found[:, POINTS] == pytest.approx(points, abs=1e-3)
        assert found[:, DIFF] == pytest.approx(leads, abs=1e-3)


@pytest.mark.parametrize("players", PLAYERS)
def test_values_go_with_the_players_when_seats_are_turned(players: int) -> None:
    for state in ends(players):
        turned = state.copy()
        for player in range(players):
            turned.boards[(player + 1) % players] = state.boards[player]
        for name in ("mover", "start", "holder"):
            if state[name] >= 0:
                turned[name] = (state[name] + 1) % players
        expected = np.roll(value_of(random_model(), state), 1, axis=0)
        assert value_of(random_model(), turned).tolist() == expected.tolist()


@pytest.mark.parametrize("players", PLAYERS)
def test_the_outlook_is_the_value_after_the_move(players: int) -> None:
    model, values = random_model(), interface.new_values()
    memo, over = interface.new_memo(model), 0
    for state in states(players):
        for move in legal_moves(state)[::4] if state.stage == game.DECISION else []:
            after = state.copy()
            game.play(after, move)
            over += after.stage == game.OVER
            assert interface.outlook(model, state, move, memo, values)
            assert values[:players].tolist() == value_of(model, after).tolist()
    assert over < len(states(players))


def test_finished_games_are_valued_exactly() -> None:
    *_, before, over = random_states(2, 7)
    assert over.stage == game.OVER
    model, values, exact = random_model(), interface.new_values(), interface.new_values()
    interface.exact_values(over, exact)
    moves = legal_moves(before)
    assert len(moves) >= 1
    for move in moves:
        after = before.copy()
        game.play(after, move)
        if after.stage == game.OVER:
            assert interface.outlook(model, before, move, interface.new_memo(model), values)
            interface.exact_values(after, exact)
            assert values.tolist() == exact.tolist()


# --- products ---------------------------------------------------------------------------

RECORD = np.dtype(
    (
        np.record,
        [
            ("matrix", "f4", (24, 12)),
            ("wide", "f4", (24, 16)),
            ("bias", "f4", (16,)),
            ("inputs", "f4", (24,)),
            ("total", "f4", (12,)),
            ("wide_total", "f4", (16,)),
            ("layer", "f4", (16,)),
        ],
    )
)


def test_compiled_products_sum_in_the_same_order_as_plain_loops() -> None:
    generator = np.random.default_rng(3)
    record = np.zeros(1, dtype=RECORD)[0]
    for name in ("matrix", "wide", "bias", "inputs"):
        record[name] = generator.normal(size=record[name].shape)
    places = generator.integers(0, 24, 9)
    amounts = generator.normal(size=9).astype(np.float32)
    multiply(record, places, amounts)
    for matrix, name in (("matrix", "total"), ("wide", "wide_total")):
        expected = np.zeros(record[name].shape, dtype=np.float32)
        vectors.sum_rows_slowly(record[matrix], places, amounts, 9, expected)
        assert record[name].tolist() == expected.tolist()
        exact = amounts.astype(float) @ record[matrix][places].astype(float)
        assert expected == pytest.approx(exact, abs=1e-5)
    expected = np.zeros(16, dtype=np.float32)
    vectors.pass_layer_slowly(record["inputs"], record["wide"], record["bias"], expected)
    assert record["layer"].tolist() == expected.tolist()
    exact = np.maximum(record["inputs"].astype(float), 0) @ record["wide"] + record["bias"]
    assert expected == pytest.approx(exact, abs=1e-5)


@jit
def multiply(record: Any, places: Any, amounts: Any) -> None:
    vectors.sum_rows(record.matrix, places, amounts, 9, record.total)
    vectors.sum_rows(record.wide, places, amounts, 9, record.wide_total)
    vectors.pass_layer(record.inputs, record.wide, record.bias, record.layer)


# --- files ------------------------------------------------------------------------------

NOTE = {"game": "azul", "players": 2, "features": azul_network.FEATURES, "id": "test"}


def written(tmp_path: Path, **changed: Any) -> Path:
    path = tmp_path / "network.npz"
    weights.save(path, random_model(), {**NOTE, **changed})
    return path


def test_a_file_of_weights_is_an_evaluation(tmp_path: Path) -> None:
    path = written(tmp_path)
    loaded = evaluation.load("azul", str(path), 2)
    assert loaded.id == "learned-azul-2-test"
    for name in network.LAYERS:
        assert loaded.model[name] == pytest.approx(random_model()[name], abs=1e-3)
    assert path.stat().st_size < 100_000


@pytest.mark.parametrize(
    ("changed", "players", "reason"),
    [
        ({"players": 3}, 2, "made for players 3, needed is 2"),
        ({}, 3, "made for players 2, needed is 3"),
        ({"features": "azul-0"}, 2, "made for features 'azul-0'"),
        ({"game": "sintra"}, 2, "made for game 'sintra'"),
    ],
)
def test_weights_for_something_else_are_refused(
    tmp_path: Path, changed: dict[str, Any], players: int, reason: str
) -> None:
    with pytest.raises(evaluation.WeightsError, match=reason):
        evaluation.load("azul", str(written(tmp_path, **changed)), players)


def test_files_that_hold_no_weights_are_refused(tmp_path: Path) -> None:
    text, torn, wrong = (tmp_path / f"{name}.npz" for name in ("text", "torn", "wrong"))
    text.write_text("no archive")
    torn.write_bytes(written(tmp_path).read_bytes()[:5000])
    np.savez_compressed(wrong, note=np.array("{}"))
    for path in (text, torn, wrong, tmp_path / "missing.npz"):
        with pytest.raises(evaluation.WeightsError, match=path.name):
            evaluation.load("azul", str(path), 2)


def test_numbers_of_another_shape_or_not_finite_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path)
    with np.load(path) as archive:
        arrays = dict(archive)
    for name, numbers in (("second", np.zeros((3, 3))), ("first_bias", np.full(64, np.nan))):
        np.savez_compressed(path, **{**arrays, name: numbers})
        with pytest.raises(evaluation.WeightsError, match=name):
            evaluation.load("azul", str(path), 2)
