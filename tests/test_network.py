"""Networks: features against plain Python, the compiled layers against numpy, files."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from azul_ai import evaluation, game, games, rng
from azul_ai.evaluation import gray_rating, interface, network, vectors, weights
from azul_ai.evaluation.correction import CORRECTION, ODDS, ROUNDS
from azul_ai.evaluation.interface import DIFF, POINTS, WIN
from azul_ai.jit import jit
from azul_ai.position import from_state
from azul_ai.search.expectimax import Expectimax
from azul_ai.search.greedy import Greedy
from azul_ai.search.ismcts import Ismcts
from azul_ai.search.searcher import Problem
from azul_ai.training import fitting, kernels, layers
from azul_ai.training.samples import Samples
from tests import expectimax as plain
from tests.azul_record import record
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
    """The players' values of a state in any stage, each as he is told them."""
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


def sharpened(share: float, players: int, factor: float, odds: float = 1.0) -> float:
    """A share of the win if logits, then odds are multiplied, and the others share evenly."""
    shares = np.array([share, *[(1 - share) / (players - 1)] * (players - 1)])
    weights = np.exp(np.arcsinh(factor * np.sinh(np.log(players * shares))))
    ratio = odds * weights[0] / weights[1:].sum()
    return float(ratio / (1 + ratio))


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
        factor, more_points, more_diff, odds = model.correction[min(int(state["round"]), 6) - 1]
        to_come += (0, more_points, more_diff)
        wins = np.exp(np.arcsinh(to_come[:, WIN]))
        wins = np.array([sharpened(win, players, factor, odds) for win in wins / wins.sum()])
        points = scores + network.POINTS_UNIT * to_come[:, POINTS]
        best = np.array([max(np.delete(scores, player)) for player in range(players)])
        leads = scores - best + network.POINTS_UNIT * to_come[:, DIFF]
        if players == 2:
            leads = points - points[::-1]
        found = value_of(model, state)
        assert found[:, WIN] == pytest.approx(wins, abs=1e-5)
        assert found[:, POINTS] == pytest.approx(points, abs=1e-3)
        assert found[:, DIFF] == pytest.approx(leads, abs=1e-3)


# --- what is told -----------------------------------------------------------------------


def told_to(player: int, shares: Sequence[float], factor: float, odds: float) -> list[float]:
    """Chances as they are told to a player, with a correction of the round just played."""
    model = random_model().copy()
    state = ends("azul", len(shares))[1].copy()
    correction = model.correction[min(int(state["round"]), ROUNDS) - 1]
    correction[WIN], correction[ODDS] = factor, odds
    state.mover = player
    values = np.zeros((1, game.MAX_PLAYERS, 3))
    values[0, : len(shares), WIN] = shares
    kept = values.copy()
    (told,) = interface.told(model, state, values)
    assert (values == kept).all()
    return told[: len(shares), WIN].tolist()


@pytest.mark.parametrize(
    "shares",
    [(1, 0), (0.5, 0.5), (0, 1, 0), (0.5, 0, 0.5), (1 / 3, 1 / 3, 1 / 3), (0, 0, 0.5, 0.5)],
)
def test_what_is_exact_is_not_corrected(shares: tuple[float, ...]) -> None:
    for player in range(len(shares)):
        assert told_to(player, shares, 1.4, 0.9) == pytest.approx(shares, abs=1e-15)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(("factor", "odds"), [(0.6, 1.0), (1.486, 1.0), (1.486, 0.9)])
def test_what_a_player_is_told_of_himself_grows_with_his_share_alone(
    players: int, factor: float, odds: float
) -> None:
    generator = np.random.default_rng(players)
    drawn = generator.dirichlet(np.ones(players), 60)
    drawn[0] = 0.39, *[0.61 / (players - 1)] * (players - 1)
    drawn[1] = 0.40, 0.60 - 0.05 * (players - 2), *[0.05] * (players - 2)
    player, found = players - 1, []
    for shares in drawn:
        turned = np.roll(shares, player)
        told = told_to(player, turned.tolist(), factor, odds)
        assert sum(told) == pytest.approx(1)
        assert told[player] == pytest.approx(sharpened(shares[0], players, factor, odds))
        others = np.argsort(np.delete(turned, player))
        assert others.tolist() == np.argsort(np.delete(told, player)).tolist()
        found.append((shares[0], told[player]))
    own, told_of_own = (np.array(numbers) for numbers in zip(*sorted(found), strict=True))
    assert all(np.diff(told_of_own) > 0)
    if odds == 1:
        assert all((told_of_own > own) == ((factor > 1) == (own > 1 / players)))


def find(searcher: Any, model: Any, state: Any) -> Any:
    """The moves that a searcher finds with a little time."""
    moves = np.array(legal_moves(state, distinct=True))
    problem = Problem(state, model, moves, WIN, 1, 1 << 24, 200, 1500, 2, top=3)
    (task,) = searcher.begin(problem, 1)
    while not task.run(10.0):
        pass
    return searcher.found(problem, [task]).moves


def sharper(model: Any) -> tuple[Any, Any]:
    """The model without factors, and with the same ones in every round."""
    plain, sharp = model.copy(), model.copy()
    plain.correction[:, [WIN, ODDS]] = 1
    sharp.correction[:, [WIN, ODDS]] = 1.5, 0.9
    return plain, sharp


@pytest.mark.parametrize(("variant", "players"), [("azul", 3), ("azul-gray", 2), ("sintra-B", 4)])
@pytest.mark.parametrize("searcher", [Ismcts(), Expectimax(), Greedy()])
def test_a_search_thinks_with_chances_as_they_are(
    searcher: Any, variant: str, players: int
) -> None:
    """Factors change what is told, not what is looked at, nor the order of the moves."""
    state = inside(variant, players)[1][0]
    before, after = (find(searcher, model, state) for model in sharper(random_model(variant)))
    assert [(m.move, m.visits, m.pv) for m in before] == [(m.move, m.visits, m.pv) for m in after]
    for one, other in zip(before, after, strict=True):
        thought, told = (move.values for move in (one, other))
        assert thought[:, POINTS:].tolist() == told[:, POINTS:].tolist()
        assert told[:, WIN].sum() == pytest.approx(thought[:, WIN].sum())
    shares = [[move.values[int(state.mover), WIN] for move in moves] for moves in (before, after)]
    assert shares[0] != shares[1]
    if not isinstance(searcher, Ismcts):  # which tells means of what is corrected
        wanted = [sharpened(share, players, 1.5, 0.9) for share in shares[0]]
        assert shares[1] == pytest.approx(wanted)


def test_earlier_values_are_told_like_the_last_ones() -> None:
    state, compared = inside("azul", 3)[1][0], 0
    for searcher in (Ismcts(), Expectimax()):
        before, after = (find(searcher, model, state) for model in sharper(random_model()))
        for one, other in zip(before, after, strict=True):
            for thought, told in zip(one.earlier, other.earlier, strict=True):
                assert (thought is None) == (told is None)
                if thought is not None:
                    own, own_told = (values[int(state.mover), WIN] for values in (thought, told))
                    assert own_told == pytest.approx(sharpened(own, 3, 1.5, 0.9), abs=0.02)
                    compared += abs(own_told - own) > 0.04
    assert compared > 2


@pytest.mark.parametrize("over", [False, True])
@pytest.mark.parametrize("players", [2, 3])
def test_past_a_deal_every_leaf_is_corrected_as_of_its_own_round(players: int, over: bool) -> None:
    """An average can't be: it is made of values of several rounds, or of exact ones."""
    model, seed, deals = random_model(), 5, 3
    state = last_choice(players, over)
    moves = np.array(legal_moves(state, distinct=True))
    problem = Problem(state, model, moves, WIN, seed, 1 << 24, depth=2, top=len(moves))

    def look(ended: Any) -> Any:
        values = interface.new_values()
        interface.look(model, ended, values)
        assert (ended.stage == game.OVER) == over
        if not over:
            interface.correct(model, ended, values)
        return values

    for row in plain.search(problem, Expectimax(chance=str(deals))).moves:
        expected = interface.new_values()
        for deal in range(deals):
            dealt = plain.after(state, row.move)
            game.deal_round(dealt, rng.new(seed, 0, deal))
            outcomes = [look(plain.after(dealt, m)) for m in legal_moves(dealt, distinct=True)]
            best = min(outcomes, key=lambda values: plain.preference(values, dealt, WIN))
            expected += best / deals
        expected = interface.share_rest(expected[None], int(state.mover))[0, :players]
        assert row.values == pytest.approx(expected, abs=1e-9)


def last_choice(players: int, over: bool) -> Any:
    """A state with one take left in its round, perhaps in the last round but one."""
    for seed in itertools.count():
        (state,) = plain.small_states(players, 1, decisions=1, fewest=1, seed=seed)
        table = plain.to_oracle(state)
        if over:
            table.round_cap = table.round + 1
        state, moves = record(table), legal_moves(state, distinct=True)
        if len(moves) > 2 and plain.after(state, moves[0]).stage == game.DEAL:
            break
    return state


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
            expected = interface.new_values()
            interface.look(model, after, expected)
            assert values[:players].tolist() == expected[:players].tolist()
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


def test_files_keep_corrections_and_older_ones_have_less_of_them(tmp_path: Path) -> None:
    path, old = written(tmp_path), tmp_path / "old.npz"
    known = evaluation.load("azul", str(path), 2).model.correction
    assert known.tolist() == random_model().correction.tolist()
    with np.load(path) as archive:
        arrays = {name: archive[name] for name in archive if name != CORRECTION}
    np.savez(old, **arrays)
    loaded = evaluation.load("azul", str(old), 2).model
    assert loaded.correction.tolist() == [[1, 0, 0, 1]] * ROUNDS
    np.savez(old, **arrays, **{CORRECTION: known[:, :3]})
    loaded = evaluation.load("azul", str(old), 2).model
    assert loaded.correction[:, :3].tolist() == known[:, :3].tolist()
    assert (loaded.correction[:, ODDS] == 1).all()


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
    for name, numbers in (
        ("second", np.zeros((3, 3))),
        ("first_bias", np.full(64, np.nan)),
        ("correction", np.ones((6, 1))),
        ("correction", np.ones(())),
    ):
        np.savez_compressed(path, **{**arrays, name: numbers})
        with pytest.raises(evaluation.WeightsError, match=name):
            evaluation.load("azul", str(path), 2)
