"""Networks: features against plain Python, the compiled layers against numpy, files."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from azul_ai import evaluation, game, games, rng
from azul_ai.evaluation import gray_rating, interface, network, vectors, weights
from azul_ai.evaluation.interface import DIFF, POINTS, WIN
from azul_ai.jit import jit
from azul_ai.position import from_state
from azul_ai.search.expectimax import Expectimax
from azul_ai.search.greedy import Greedy
from azul_ai.search.ismcts import Ismcts
from azul_ai.search.searcher import Problem
from azul_ai.training import fitting, kernels, layers
from azul_ai.training.samples import Samples
from tests.playing import VARIANTS, legal_moves, random_states
from tests.seeing import MODULES, in_order

pytestmark = pytest.mark.nojit

each_table = pytest.mark.parametrize(
    ("variant", "players"), [(variant, players) for variant in VARIANTS for players in (2, 3, 4)]
)
"""Every game and side, for every number of players."""


@functools.cache
def states(variant: str, players: int) -> list[Any]:
    """States of two random games, some inside rounds, some waiting for a deal."""
    chosen: list[Any] = []
    for dump in (0.0, 0.4):
        played = [s for s in random_states(players, 7, dump, variant) if s["round"] > 0]
        chosen += [s for s in played if s.stage == game.DEAL]
        chosen += [s for s in played if s.stage == game.DECISION][:: 2 * players + 1]
    return chosen


def module_of(variant: str) -> Any:
    """The module of a game's networks."""
    return evaluation.network_module(VARIANTS[variant][0])


@functools.cache
def random_model(variant: str = "azul") -> Any:
    """A network of random numbers."""
    model = np.zeros(1, dtype=module_of(variant).MODEL)[0]
    generator = np.random.default_rng(1)
    for name in network.LAYERS:
        model[name] = generator.normal(0, 0.2, model[name].shape)
    model.correction = generator.uniform(0.5, 1.5, model.correction.shape)
    return model


def ends(variant: str, players: int) -> list[Any]:
    """Those that wait for a deal."""
    return [state for state in states(variant, players) if state.stage == game.DEAL]


def inside(variant: str, players: int) -> list[tuple[Any, Any]]:
    """Those inside a round, each with a copy."""
    chosen = [state for state in states(variant, players) if state.stage == game.DECISION]
    return [(state, state.copy()) for state in chosen]


def seen_of(variant: str, state: Any) -> tuple[Any, Any, int]:
    """What the compiled code says a network sees: inputs, scores, starter."""
    pool = np.zeros(1, dtype=state.dtype)
    pool[0] = state
    players = int(state.players)
    nothing = np.zeros((1, players, 3), dtype=np.float32)
    samples = Samples(pool, nothing, nothing, np.zeros(1, dtype=np.int64))
    _, seen = fitting.see(samples, module_of(variant).LAYOUT)
    return seen.inputs[0], seen.scores[0], int(seen.starters[0])


def value_of(model: Any, state: Any) -> Any:
    """The players' values of a state in any stage, as they are told."""
    pool, values = np.zeros((2, 1), dtype=state.dtype), np.zeros((1, game.MAX_PLAYERS, 3))
    pool[0] = state
    kernels.value_states(model, pool[0], pool[1], values)
    return values[0, : int(state.players)]


# --- what a network sees ----------------------------------------------------------------


@each_table
def test_table_and_boards_are_seen_in_turn_order_from_the_next_starter(
    variant: str, players: int
) -> None:
    plain = MODULES[variant]
    parts = [plain.TABLE] + [plain.BOARD] * game.MAX_PLAYERS
    assert sum(map(len, parts)) == module_of(variant).LAYOUT.inputs
    assert len(ends(variant, players)) > 8
    for state in ends(variant, players):
        inputs, scores, starter = seen_of(variant, state)
        assert starter == state.mover
        position = from_state(state)
        order = [(starter + seat) % players for seat in range(players)]
        named = [plain.table(position)]
        named += [plain.board(position, position.players[player]) for player in order]
        named += [{}] * (game.MAX_PLAYERS - players)
        expected = [
            number
            for seen, names in zip(named, parts, strict=True)
            for number in in_order(seen, names)
        ]
        assert inputs == pytest.approx(expected, abs=1e-5)
        assert scores.tolist() == [player.score for player in position.players]


@each_table
def test_inside_a_round_a_network_sees_how_the_policy_would_end_it(
    variant: str, players: int
) -> None:
    looked_at, model = 0, random_model(variant)
    for state, after in inside(variant, players):
        interface.play_policy(after, rng.new(0), 0.0)
        if after.stage == game.DEAL:
            looked_at += 1
            assert seen_of(variant, state)[0].tolist() == seen_of(variant, after)[0].tolist()
            if players == 2 and variant != "azul-gray":
                assert value_of(model, state).tolist() == value_of(model, after).tolist()
    assert looked_at > 5


def test_on_the_gray_wall_the_policy_only_takes_and_walls_are_tiled_with_care() -> None:
    model = random_model("azul-gray")
    for state, after in inside("azul-gray", 2):
        gray_rating.play_takes(after, rng.new(0), 0.0)
        interface.conclude(after, model)
        assert after.stage in {game.DEAL, game.OVER}
        assert value_of(model, state).tolist() == value_of(model, after).tolist()


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("variant", VARIANTS)
def test_with_more_players_it_values_a_round_as_if_nothing_were_left(
    variant: str, players: int
) -> None:
    looked_at, model = 0, random_model(variant)
    for state, after in inside(variant, players):
        interface.conclude(after, model)
        looked_at += after.stage == game.DEAL
        assert value_of(model, state).tolist() == value_of(model, after).tolist()
    assert looked_at > 5


# --- values -----------------------------------------------------------------------------


@each_table
def test_values_are_what_plain_layers_say(variant: str, players: int) -> None:
    model = random_model(variant)
    numbers = layers.from_model(model)
    for state in ends(variant, players):
        inputs, scores, starter = seen_of(variant, state)
        outputs = layers.forward(numbers, inputs[None])[-1].reshape(3, game.MAX_PLAYERS)
        order = [(starter + seat) % players for seat in range(players)]
        to_come = np.zeros((players, 3))
        to_come[order] = outputs[:, :players].T
        factor, more_points, more_diff = model.correction[min(int(state["round"]), 6) - 1]
        to_come += (0, more_points, more_diff)
        wins = np.exp(np.arcsinh(to_come[:, WIN]))
        logits = factor * np.sinh(np.log(players * wins / wins.sum()))
        wins = np.exp(np.arcsinh(logits)) / np.exp(np.arcsinh(logits)).sum()
        points = scores + network.POINTS_UNIT * to_come[:, POINTS]
        best = np.array([max(np.delete(scores, player)) for player in range(players)])
        leads = scores - best + network.POINTS_UNIT * to_come[:, DIFF]
        if players == 2:
            leads = points - points[::-1]
        found = value_of(model, state)
        assert found[:, WIN] == pytest.approx(wins, abs=1e-5)
        assert found[:, POINTS] == pytest.approx(points, abs=1e-3)
        assert found[:, DIFF] == pytest.approx(leads, abs=1e-3)


@pytest.mark.parametrize(
    "shares",
    [(1, 0), (0.5, 0.5), (0, 1, 0), (0.5, 0, 0.5), (1 / 3, 1 / 3, 1 / 3), (0, 0, 0.5, 0.5)],
)
def test_what_is_exact_or_even_is_not_corrected(shares: tuple[float, ...]) -> None:
    state = ends("azul", len(shares))[0]
    told = np.zeros((1, game.MAX_PLAYERS, 3))
    told[0, : len(shares), WIN] = shares
    interface.correct_all(random_model(), state, told)
    assert told[0, : len(shares), WIN] == pytest.approx(shares)


def test_a_search_thinks_with_chances_as_they_are() -> None:
    """Factors change what is told, not what is looked at."""
    plain, sharp = random_model().copy(), random_model().copy()
    plain.correction[:, WIN], sharp.correction[:, WIN] = 1, 1.5
    state = next(state for state in states("azul", 3) if state.stage == game.DECISION)
    moves = np.array(legal_moves(state, distinct=True))
    for searcher in (Ismcts(), Expectimax(), Greedy()):
        found = []
        for model in (plain, sharp):
            problem = Problem(state, model, moves, WIN, 1, 1 << 24, 300, 3000, 2, top=3)
            (task,) = searcher.begin(problem, 1)
            while not task.run(10.0):
                pass
            found.append(searcher.found(problem, [task]))
        before, after = ({move.move: move for move in result.moves} for result in found)
        assert {m.move: m.visits for m in before.values()} == {
            m.move: m.visits for m in after.values()
        }
        told = [(before[move].values, after[move].values) for move in before]
        assert all(one[:, POINTS].tolist() == other[:, POINTS].tolist() for one, other in told)
        assert any(one[:, WIN].tolist() != other[:, WIN].tolist() for one, other in told)


@each_table
def test_values_go_with_the_players_when_seats_are_turned(variant: str, players: int) -> None:
    model = random_model(variant)
    for state in ends(variant, players):
        turned = state.copy()
        for player in range(players):
            turned.boards[(player + 1) % players] = state.boards[player]
        for name in ("mover", "start", "holder"):
            if state[name] >= 0:
                turned[name] = (state[name] + 1) % players
        expected = np.roll(value_of(model, state), 1, axis=0)
        assert value_of(model, turned) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("variant", ["azul", "azul-gray"])
def test_the_outlook_is_the_value_after_the_move(variant: str, players: int) -> None:
    model, values = random_model(variant), interface.new_values()
    memo, over = interface.new_memo(model), 0
    for state in states(variant, players):
        for move in legal_moves(state)[::11] if state.presence else []:
            after = state.copy()
            game.play(after, move)
            over += after.stage == game.OVER
            assert interface.outlook(model, state, move, memo, values)
            interface.correct(model, after, values)
            assert values[:players].tolist() == value_of(model, after).tolist()
    assert over < len(states(variant, players))


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

NOTE = {"game": "azul", "players": 2, "features": module_of("azul").FEATURES, "id": "test"}


def written(tmp_path: Path, **changed: Any) -> Path:
    path = tmp_path / "network.npz"
    weights.save(path, random_model(), {**NOTE, **changed})
    return path


@pytest.mark.nojit
@pytest.mark.parametrize(
    "path", sorted(weights.DIRECTORY.glob("*.npz")), ids=lambda path: path.stem
)
def test_the_networks_of_the_package_fit_the_code_and_say_what_made_them(path: Path) -> None:
    name, _, players = path.stem.rpartition("-")
    loaded = evaluation.load(name, evaluation.LEARNED, int(players))
    note = weights.load_note(path)
    assert loaded.id == f"learned-{name}-{players}-{note['id']}"
    assert note.keys() >= {"command", "seed", "generation", "samples", "bench"}


@pytest.mark.parametrize("name", games.NAMES)
def test_a_file_of_weights_is_an_evaluation(tmp_path: Path, name: str) -> None:
    module, path = evaluation.network_module(name), tmp_path / "network.npz"
    numbers = layers.new_layers(module.LAYOUT.inputs, 1)
    note = {**NOTE, "game": name, "features": module.FEATURES}
    weights.save(path, layers.to_model(numbers, module.MODEL), note)
    loaded = evaluation.load(name, str(path), 2)
    assert loaded.id == f"learned-{name}-2-test"
    for field, expected in zip(network.LAYERS, numbers, strict=True):
        assert loaded.model[field] == pytest.approx(expected, abs=1e-3)
    assert path.stat().st_size < 100_000


def test_files_keep_corrections_and_older_ones_have_none(tmp_path: Path) -> None:
    path, old = written(tmp_path), tmp_path / "old.npz"
    loaded = evaluation.load("azul", str(path), 2).model
    assert loaded.correction.tolist() == random_model().correction.tolist()
    with np.load(path) as archive:
        np.savez(old, **{name: archive[name] for name in archive if name != network.CORRECTION})
    loaded = evaluation.load("azul", str(old), 2).model
    assert loaded.correction.tolist() == [[1, 0, 0]] * network.ROUNDS


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
