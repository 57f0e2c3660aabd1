"""Learning an evaluation: samples, fitting, and runs that can be stopped and go on."""

from __future__ import annotations

import dataclasses
import functools
import json
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest
from click.testing import CliRunner

import azul_ai
from azul_ai import evaluation, game
from azul_ai.cli import train as cli_train
from azul_ai.cli.main import cli
from azul_ai.evaluation import network, weights
from azul_ai.evaluation.correction import ROUNDS, no_correction
from azul_ai.evaluation.interface import DIFF, POINTS, WIN
from azul_ai.evaluation.network import Layout
from azul_ai.tournament import executors, schedule
from azul_ai.training import correcting, fitting, layers, run, samples, selfplay, steps
from azul_ai.training.fitting import Recipe
from azul_ai.training.layers import Targets
from azul_ai.training.run import Plan
from azul_ai.training.samples import Samples
from azul_ai.training.seating import Seating
from azul_ai.training.selfplay import Job

MODULE = evaluation.network_module("azul")
JOB = Job("azul", 2, None, 5, 0, 12, 20, {})
PLAN = Plan(
    game="azul",
    players=2,
    side=None,
    seed=3,
    generations=1,
    games=1200,
    iterations=8,
    window=1,
    epochs=6,
    searched=0.3,
    gate_games=4,
    gate_iterations=10,
    gate_elo=30.0,
)


@functools.cache
def played(players: int = 2, name: str = "azul") -> Samples:
    return selfplay.play(dataclasses.replace(JOB, players=players, game=name))


# --- self-play --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "name"), [(2, "azul"), (3, "azul"), (4, "azul"), (2, "azul-gray"), (3, "sintra")]
)
def test_samples_are_ends_of_rounds_and_states_inside_them(players: int, name: str) -> None:
    found = played(players, name)
    stages = found.states["stage"]
    assert set(stages) == {game.DEAL, game.DECISION}
    assert (found.states["round"] > 0).all()
    assert (found.states["players"] == players).all()
    assert found.outcomes.shape == found.searched.shape == (len(found), players, 3)
    assert found.outcomes[:, :, WIN].sum(axis=1) == pytest.approx(1)
    best = found.outcomes[:, :, POINTS].max(axis=1)
    leads = found.outcomes[:, :, DIFF]
    assert (leads.max(axis=1) >= 0).all()
    winner = found.outcomes[:, :, WIN].argmax(axis=1)
    assert (found.outcomes[np.arange(len(found)), winner, POINTS] == best).all()
    told = found.searched[~np.isnan(found.searched[:, 0, WIN])]
    assert len(told) > 0.7 * len(found)
    assert told[:, :, WIN].sum(axis=1) == pytest.approx(1, abs=1e-3)


def test_a_game_depends_on_its_number_only() -> None:
    whole = played()
    later = selfplay.play(dataclasses.replace(JOB, first=7, number=5))
    part = whole.games >= 7
    assert later.states.tobytes() == whole.states[part].tobytes()
    assert later.outcomes.tolist() == whole.outcomes[part].tolist()
    other = selfplay.play(dataclasses.replace(JOB, seed=6, number=5))
    assert other.states.tobytes() != whole.states[whole.games < 5].tobytes()


@pytest.mark.parametrize("side", [None, "A", "B"])
def test_games_are_played_on_both_sides_unless_one_is_named(side: str | None) -> None:
    job = dataclasses.replace(JOB, game="sintra", players=3, side=side, first=5, number=15)
    found = selfplay.play(job) if side else played(3, "sintra")
    held = found.games % fitting.HELD_OUT == 0
    for part in (found.part(held), found.part(~held)):
        assert set(part.states["side_b"]) == ({0, 1} if side is None else {int(side == "B")})


def test_samples_of_a_game_agree_on_its_end() -> None:
    found = played()
    for index in set(found.games.tolist()):
        outcomes = found.outcomes[found.games == index]
        assert (outcomes == outcomes[0]).all()
        rounds = found.states["round"][found.games == index]
        assert (np.diff(rounds) >= 0).all()


def test_chunks_are_read_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "games.npz"
    samples.save(path, played())
    read = samples.load(path, "azul")
    assert read.states.tobytes() == played().states.tobytes()
    assert read.games.tolist() == played().games.tolist()
    assert [each.name for each in tmp_path.iterdir()] == ["games.npz"]
    with pytest.raises(samples.SamplesError, match="another game"):
        samples.load(path, "azul-gray")
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(samples.SamplesError, match="no samples"):
        samples.load(path, "azul")


# --- fitting ----------------------------------------------------------------------------


def loss(numbers: list[Any], inputs: Any, wanted: Targets, points: float) -> float:
    """The loss as the docstring of the module says, in double precision."""
    first, first_bias, second, second_bias, third, third_bias = numbers
    a = np.maximum(inputs @ first + first_bias, 0)
    outputs = np.maximum(a @ second + second_bias, 0) @ third + third_bias
    players = wanted.shares.shape[1]
    columns = [outputs[:, 4 * column : 4 * column + players] for column in (WIN, POINTS, DIFF)]
    logits = np.arcsinh(columns[WIN])
    logs = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    errors = (columns[POINTS] - wanted.points) ** 2 + (columns[DIFF] - wanted.diffs) ** 2
    return float(np.mean(np.sum(points / 2 * errors - wanted.shares * logs, axis=1)))


@pytest.mark.parametrize("players", [2, 3])
def test_the_gradient_is_the_slope_of_the_loss(players: int) -> None:
    generator, weight = np.random.default_rng(1), 0.5
    network: list[Any] = [each.astype(float) for each in layers.new_layers(20, 1)]
    inputs: Any = generator.normal(size=(6, 20))
    shares = generator.dirichlet(np.ones(players), 6)
    wanted = Targets(
        shares,  # type: ignore[arg-type]
        generator.normal(size=(6, players)),  # type: ignore[arg-type]
        generator.normal(size=(6, players)),  # type: ignore[arg-type]
    )
    slopes = layers.gradient(network, inputs, wanted, weight)
    step = 1e-6
    for numbers, slope in zip(network, slopes, strict=True):
        assert slope.shape == numbers.shape
        flat = numbers.reshape(-1)
        for place in generator.integers(0, flat.size, 8):
            kept = flat[place]
            flat[place] = kept + step
            above = loss(network, inputs, wanted, weight)
            flat[place] = kept - step
            below = loss(network, inputs, wanted, weight)
            flat[place] = kept
            expected = (above - below) / (2 * step)
            assert slope.reshape(-1)[place] == pytest.approx(expected, abs=1e-5)


def test_a_fit_finds_what_decides() -> None:
    """Samples of which the winner is whoever has more points, as an input of each board says."""
    generator = np.random.default_rng(2)
    number = 4000
    lead = generator.normal(size=number).astype(np.float32)
    states = np.zeros(number, dtype=played().states.dtype)
    outcomes = np.zeros((number, 2, 3), dtype=np.float32)
    outcomes[:, 0, WIN] = lead > 0
    outcomes[:, 1, WIN] = lead <= 0
    outcomes[:, 0, DIFF], outcomes[:, 1, DIFF] = 10 * lead, -10 * lead
    outcomes[:, :, POINTS] = outcomes[:, :, DIFF] + 40
    made_up = Samples(states, np.full_like(outcomes, np.nan), outcomes, np.arange(number))
    inputs = np.zeros((number, 5), dtype=np.float32)
    inputs[:, 1], inputs[:, 2] = lead, -lead
    scores = np.zeros((number, 2), dtype=np.float32)
    seen = fitting.Seen(inputs, scores, np.zeros(number, dtype=np.int64), Layout(1, 1))
    numbers, quality = fitting.fit(made_up, seen, Recipe(epochs=12, batch=64), 1)
    assert quality.brier < 0.02
    assert quality.points < 4  # knowing nothing: 10
    assert numbers[0].shape == (5, 64)
    assert not numbers[0][[0, 3, 4]].any()  # never seen: without effect


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_is_learned_of_one_seat_is_known_of_all(players: int) -> None:
    """Only the starter's boards ever differ, by an input that decides whether he wins."""
    generator, number = np.random.default_rng(3), 6000
    strong = generator.random(number) < 0.5
    outcomes = np.full((number, players, 3), 0.0, dtype=np.float32)
    outcomes[:, 0, WIN] = strong
    outcomes[:, 1:, WIN] = ~strong[:, None] / (players - 1)
    made_up = Samples(
        np.zeros(number, dtype=played().states.dtype),
        np.full_like(outcomes, np.nan),
        outcomes,
        np.arange(number),
    )
    inputs = np.zeros((number, 1 + game.MAX_PLAYERS), dtype=np.float32)
    inputs[:, 0], inputs[:, 1] = 1, strong
    scores, starters = np.zeros((number, players), dtype=np.float32), np.zeros(number, dtype=int)
    seen = fitting.Seen(inputs, scores, starters, Layout(1, 1))
    numbers, _ = fitting.fit(made_up, seen, Recipe(epochs=12, batch=64), 1)
    last = np.zeros((1, 1 + game.MAX_PLAYERS), dtype=np.float32)
    last[0, 0] = last[0, players] = 1  # strong is who sits last
    logits = layers.forward(numbers, last)[-1][:, :players]
    shares, _ = layers.win_shares(logits)
    assert shares[0].argmax() == players - 1
    assert shares[0, -1] > 0.8


def test_boards_move_and_tell_how_far_they_sit_after_the_starter() -> None:
    inputs = np.array([[7, 1, 10, 2, 20, 3, 30, 0, 0], [8, 4, 40, 5, 50, 6, 60, 0, 0]], np.float32)
    seating = Seating(inputs, Layout(1, 2), 3)
    rows = np.array([1, 0])
    shown = seating.inputs(rows, np.array([[2, 0, 1], [0, 1, 2]]))
    assert shown.tolist() == [
        [8, *(6, 60, 0, 0, 1), *(4, 40, 1, 0, 0), *(5, 50, 0, 1, 0)],
        [7, *(1, 10, 1, 0, 0), *(2, 20, 0, 1, 0), *(3, 30, 0, 0, 1)],
    ]


def test_a_network_says_the_same_when_boards_are_back_at_their_seats() -> None:
    _, seen = fitting.see(played(3), MODULE.LAYOUT)
    rows = np.arange(len(seen.inputs))
    seating = Seating(seen.inputs, MODULE.LAYOUT, 3)
    in_order = seating.inputs(rows, seating.in_order(rows))
    fitted = layers.new_layers(seating.width, 1)
    gathered = seating.gather(fitted)
    assert gathered[0].shape == (MODULE.LAYOUT.inputs, network.FIRST)
    outputs = layers.forward(fitted, in_order)[-1]
    assert layers.forward(gathered, seen.inputs)[-1] == pytest.approx(outputs, abs=1e-4)


def test_held_out_games_are_not_learned_from(monkeypatch: pytest.MonkeyPatch) -> None:
    known = played()
    held = known.games % fitting.HELD_OUT == 0
    assert 0 < held.sum() < len(held) / 4
    known, seen = fitting.see(known, MODULE.LAYOUT)
    held = known.games % fitting.HELD_OUT == 0
    marks = np.column_stack([held, ~held]).astype(np.float32)
    marked = dataclasses.replace(seen, inputs=marks, layout=Layout(2, 0))
    learned, gradient = [], fitting.gradient

    def watched(network: Any, inputs: Any, wanted: Targets, points: float) -> Any:
        learned.append(inputs)
        return gradient(network, inputs, wanted, points)

    monkeypatch.setattr(fitting, "gradient", watched)
    fitting.fit(known, marked, Recipe(epochs=2, batch=8), 1)
    rows = np.concatenate(learned)
    assert len(rows) > 1.5 * (~held).sum()
    assert not rows[:, 0].any()


def test_a_correction_makes_a_network_true_of_the_games_by_round() -> None:
    known = selfplay.play(dataclasses.replace(JOB, players=3, number=100))
    many = samples.join([known.part(known.states["stage"] == game.DEAL)] * 50)
    known, seen = fitting.see(many, MODULE.LAYOUT)
    begin = layers.from_model(evaluation.load("azul", evaluation.LEARNED, 3).model)
    begin[-1][game.MAX_PLAYERS :] += 0.5  # of 20 points
    correction = correcting.correct(begin, known, seen)
    rows, seats = np.arange(len(known))[:, None], (seen.starters[:, None] + np.arange(3)) % 3
    happened = known.outcomes[rows, seats].astype(float)
    outputs = layers.forward(begin, seen.inputs)[-1].reshape(-1, 3, 4)[:, :, :3].astype(float)

    def surprise(factor: float, odds: float, won: Any, logits: Any) -> float:
        shares = np.exp(np.arcsinh(logits))
        shares /= shares.sum(axis=1, keepdims=True)
        both = (shares, (1 - shares) / 2)  # his own, and that of each of two even others
        own, theirs = (np.exp(np.arcsinh(factor * np.sinh(np.log(3 * part)))) for part in both)
        told = odds * own / (odds * own + 2 * theirs)
        found = -(won * np.log(told) + (1 - won) * np.log(1 - told)).sum() / 2
        return float(found + np.log(factor) ** 2 / 2 / 0.2**2 + np.log(odds) ** 2 / 2 / 0.1**2)

    for number in (2, 3, 4):
        here = known.states["round"] == number
        factor, more_points, _, odds = correction[number - 1]
        missing = (happened[here, :, POINTS] - seen.scores[rows, seats][here]) / 20
        missing -= outputs[here, POINTS]
        assert missing.mean() < -0.1
        assert more_points == pytest.approx(missing.mean(), rel=0.05)
        won, logits = happened[here, :, WIN], outputs[here, WIN]
        assert 0.51 < factor < 1.99  # not at an end of what is tried
        assert odds != 1
        for other in (0.97, 1.03):
            least = surprise(factor, odds, won, logits)
            assert surprise(other * factor, odds, won, logits) > least
            assert surprise(factor, other * odds, won, logits) > least
    never = known.states["round"].max()
    assert never < ROUNDS
    assert correction[never:] == pytest.approx(no_correction()[never:])


# --- runs -------------------------------------------------------------------------------


class Silent:
    """Watches without a word."""

    def played(self, *_: Any) -> None: ...
    def fitted(self, *_: Any) -> None: ...
    def gated(self, *_: Any) -> None: ...
    def finished(self, *_: Any) -> None: ...


def train(arguments: list[str]) -> dict[str, Any]:
    result = CliRunner().invoke(cli, ["train", *arguments, "--json", "--quiet"])
    assert result.exit_code == 0, result.output
    document: dict[str, Any] = json.loads(result.stdout)
    return document


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A small run of the command line."""
    directory = tmp_path_factory.mktemp("training") / "run"
    given = ["--out", str(directory), *PLAN.command.split()[2:], "--concurrency", "1"]
    return directory, train(given)


def test_a_run_leaves_a_network_that_plays_better_than_an_untrained_one(
    finished: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    directory, document = finished
    (report,) = document["generations"]
    assert report["quality"]["brier"] < 0.24  # knowing nothing: 0.25
    assert report["games"] == PLAN.games
    trained = directory / "generation-01" / "candidate.npz"
    assert weights.load_note(trained)["command"] == PLAN.command
    untrained = tmp_path / "untrained.npz"
    numbers = layers.new_layers(MODULE.LAYOUT.inputs, 9)
    note = weights.load_note(trained)
    weights.save(untrained, layers.to_model(numbers, MODULE.MODEL), note)
    players = [
        f"--player=name={name},engine=greedy,evaluation={path}"
        for name, path in (("trained", trained), ("untrained", untrained))
    ]
    given = ["tournament", *players, "--games", "40", "--concurrency", "1", "--json", "--quiet"]
    result = CliRunner().invoke(cli, given)
    assert result.exit_code == 0, result.output
    (pair,) = json.loads(result.stdout)["pairs"]
    assert pair["a"] == "trained"
    assert pair["score"] > 0.65


def test_a_finished_run_has_nothing_left_to_do(finished: tuple[Path, dict[str, Any]]) -> None:
    directory, document = finished
    before = {path: path.stat().st_mtime_ns for path in directory.rglob("*")}
    assert train(["--resume", str(directory)]) == document
    assert before == {path: path.stat().st_mtime_ns for path in directory.rglob("*")}


def test_a_run_that_was_stopped_goes_on_to_the_same_network(
    finished: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    directory, _ = finished
    again = run.create(tmp_path / "run", PLAN)

    class Stopped(Silent):
        """Stops a run after its first chunk."""

        def played(self, generation: int, done: int, total: int) -> None:
            if done == 1:
                raise KeyboardInterrupt

    with executors.processes(1) as workers:
        with pytest.raises(KeyboardInterrupt):
            steps.train(again, workers, Stopped(), print)
        (first,) = again.generations()
        assert len(first.chunks) == 1
        torn = first.directory / "games-00001.npz.part"
        torn.write_bytes(b"torn")  # a write that was cut off is no chunk
        steps.play(first, workers, Silent())
        steps.learn(first, Silent())
    first_fit, second_fit = (
        weights.load(path, MODULE.MODEL, {})[0]
        for path in (
            first.directory / "candidate.npz",
            directory / "generation-01/candidate.npz",
        )
    )
    assert first_fit.tobytes() == second_fit.tobytes()


@pytest.mark.parametrize(("every", "lines"), [(0.0, 2), (3600.0, 0)])
def test_on_a_pipe_a_line_now_and_then_tells_how_far_it_is(
    every: float, lines: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli_train, "EVERY", every)
    with click.Context(cli), cli_train._shown(click.get_current_context()) as watch:
        watch.played(1, 3, 10)
        watch.gated(1, 8, 0.55, 0.7)
    told = capsys.readouterr().err.splitlines()
    assert len(told) == lines
    if told:
        assert told[0] == "azul-ai: generation 1: self-play, 3 of 10 chunks"
        assert told[1] == "azul-ai: generation 1: gate, 8 games, 55.0 %, LLR +0.70"


@pytest.mark.parametrize(
    ("arguments", "code", "reason"),
    [
        ([], 2, "--out DIR to begin"),
        (["--out", "x", "--resume", "x"], 2, "--out DIR to begin"),
        (["--resume", "missing"], 1, "holds no training run"),
        (["--resume", ".", "--games", "5"], 2, "--resume takes the plan"),
        (["--out", "full"], 1, "not empty"),
        (["--out", "new", "--side", "B"], 2, "has no such thing"),
    ],
)
def test_what_cannot_be_begun_is_refused(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    code: int,
    reason: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").write_text("mine")
    result = CliRunner().invoke(cli, ["train", *arguments])
    assert result.exit_code == code, result.output
    assert reason in result.stderr
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("side", [None, "B"])
def test_the_gate_plays_on_both_sides_unless_one_is_named(tmp_path: Path, side: str | None) -> None:
    plan = dataclasses.replace(PLAN, game="sintra", players=3, side=side, gate_games=18)
    (generation,) = run.create(tmp_path / "run", plan).generations()
    groups = list(schedule.groups(steps._gate_settings(generation)))
    assert sum(len(group.seatings) for group in groups) == 18
    starts = [azul_ai.load(group.start) for group in groups]
    assert [start.side for start in starts] == (["B"] * 3 if side else ["A", "B", "A"])
    assert len({group.start for group in groups}) == 3


def test_old_samples_are_removed(tmp_path: Path) -> None:
    plan = dataclasses.replace(PLAN, generations=3, window=2)
    made = run.create(tmp_path / "run", plan)
    for generation in made.generations():
        generation.begin()
        samples.save(generation.chunk(0), played())
    kept = [len(generation.chunks) for generation in made.generations()]
    assert kept == [0, 1, 1]
