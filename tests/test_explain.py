"""Explanations: every fact and every claim of a sentence is replayed with the slow rules."""

from __future__ import annotations

import json
import re
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
from azul_ai import explain, game
from azul_ai.engine import Limit
from azul_ai.explain import Explanation, Line, explanation
from azul_ai.notation import format_move, parse_move
from azul_ai.position import from_state, parse, to_state
from tests.oracle import azul as rules
from tests.oracle.positions import board, position
from tests.playing import legal_moves, random_states

POSITIONS = Path(__file__).parent.parent / "positions"
PENALTIES = (0, 1, 2, 4, 6, 8, 11, 14)
COLORS = {"B": "blue", "Y": "yellow", "R": "red", "K": "black", "W": "white"}
NUMBERS = ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]


class Replay:
    """A line played with the slow rules."""

    def __init__(self, state: Any, line: Line) -> None:
        self.states = [rules.from_dict(from_state(state).to_dict())]
        for move in line.moves:
            self.states.append(rules.play(self.states[-1], move))
        self.line, self.end = line, self.states[-1]
        drafted = rules.copy(self.states[-2])
        rules.draft(drafted, line.moves[-1])
        self.floors = [PENALTIES[len(board.floor)] for board in drafted.boards]
        self.totals = rules.final_points(self.end)

    def points(self, player: int) -> int:
        return self.end.boards[player - 1].score - self.states[0].boards[player - 1].score

    def column(self, player: int, number: int) -> int:
        return sum(row[number - 1] is not None for row in self.end.boards[player - 1].wall)

    def color(self, player: int, letter: str) -> int:
        return sum(row.count(letter) for row in self.end.boards[player - 1].wall)

    def waiting(self, player: int) -> int:
        return sum(tiles for _, tiles in self.end.boards[player - 1].lines)

    def place(self, player: int) -> int:
        standings = rules.standings(self.end)
        return 1 + sum(other > standings[player - 1] for other in standings)

    def best_rival(self, player: int) -> int:
        standings = rules.standings(self.end)
        return max(standing for rank, standing in enumerate(standings, 1) if rank != player)[0]

    def dropped(self, turn: int) -> tuple[str, int]:
        """The color of a turn and how many of its tiles did not come into a line."""
        return drop(self.states[turn], self.line.moves[turn])

    def forced(self, turn: int) -> int:
        """The fewest tiles that could be dropped instead."""
        moves = rules.legal_moves(self.states[turn])
        return min(drop(self.states[turn], move)[1] for move in moves)


def drop(state: rules.State, move: str) -> tuple[str, int]:
    after = rules.copy(state)
    rules.draft(after, move)
    before, board = state.boards[state.mover], after.boards[state.mover]
    source, color, _ = move.split("-")
    tiles = state.center if source == "C" else state.displays[int(source[1:]) - 1]
    placed = sum(count for _, count in board.lines) - sum(count for _, count in before.lines)
    return color, tiles.count(color) - placed


# --- claims, as sentences make them ------------------------------------------------------


def check_sentence(sentence: str, best: Replay, other: Replay) -> None:
    """Every part of a sentence is of a known form and true."""
    opening, _, rest = sentence.partition("; ")
    check_opening(opening, best)
    if rest == f"what it gains over {other.line.move} comes after this round.":
        return
    found = re.fullmatch(rf"compared with the line of {other.line.move}, (.+)\.", rest)
    assert found, rest
    for part in re.split(r", though |, | and (?=you |your |player |the |it )", found[1]):
        check_claim(part, best, other)


def check_opening(text: str, best: Replay) -> None:
    before, after = best.states[0], best.states[1]
    mover, (color, dropped) = before.mover, best.dropped(0)
    name, deed = text.split(" ", 1)
    assert name == best.line.move
    drafted = rules.copy(before)
    rules.draft(drafted, name)
    line = name.split("-")[2]
    old = new = ("", 0)
    if line != "floor":
        old = before.boards[mover].lines[int(line) - 1]
        new = drafted.boards[mover].lines[int(line) - 1]
    forms = {
        f"drops {NUMBERS[dropped]} {COLORS[color]} on the floor": line == "floor",
        f"fills line {line} exactly": str(new[1]) == line and not dropped,
        f"fills line {line} and drops {NUMBERS[dropped]}": str(new[1]) == line and dropped > 0,
        f"begins line {line} with {NUMBERS[new[1]]} of": old[1] == 0 < new[1],
        f"brings line {line} to {NUMBERS[new[1]]} of": 0 < old[1] < new[1],
    }
    assert [true for form, true in forms.items() if deed.startswith(form)] == [True], text
    takes = before.holder is None and name.startswith("C")
    assert ("takes the starting player marker" in deed) == takes
    if found := re.search(r"leaves (\w+) to (.+), who must drop (\w+)$", deed):
        assert_forced(best, 1, found[2], found[1], NUMBERS.index(found[3]))
    elif found := re.search(r"later (.+) must drop (\w+) (\w+)$", deed):
        turns = [
            turn
            for turn in range(2, len(best.line.moves))
            if best.dropped(turn) == (letter(found[3]), NUMBERS.index(found[2]))
            and best.states[turn].mover != after.players
            and best.forced(turn) == best.dropped(turn)[1]
        ]
        assert turns, text
        assert any(who(best, found[1]) == best.states[turn].mover + 1 for turn in turns)
    else:
        assert "must" not in deed


def assert_forced(best: Replay, turn: int, whom: str, color: str, number: int) -> None:
    assert who(best, whom) == best.states[turn].mover + 1
    assert best.dropped(turn) == (letter(color), number)
    assert best.forced(turn) == number


def letter(color: str) -> str:
    return {name: letter for letter, name in COLORS.items()}[color]


def who(replay: Replay, words: str) -> int:
    """The player that a sentence speaks of."""
    me = replay.states[0].mover + 1
    if words == "you":
        return me
    if words == "your opponent":
        assert replay.end.players == 2
        return 3 - me
    assert replay.end.players > 2
    return int(words.removeprefix("player "))


def number(words: str) -> int:
    """A number of points: "nothing", "5", "losing 2"."""
    words = words.removesuffix(" this round")
    if words.startswith(("losing ", "lose ", "loses ")):
        return -number(words.partition(" ")[2])
    words = words.removeprefix("scoring ")
    return 0 if words == "nothing" else int(words)


WHO = r"(you|your opponent|player \d)"


def check_claim(text: str, best: Replay, other: Replay) -> None:
    """One reason, as its text says it."""
    me = best.states[0].mover + 1
    if found := re.fullmatch(rf"{WHO} scores? (\S+) this round instead of (.+)", text):
        player = who(best, found[1])
        assert best.points(player) == number(found[2])
        assert other.points(player) == number(found[3])
    elif found := re.fullmatch(rf"{WHO} loses? (\d+) this round instead of (.+)", text):
        player = who(best, found[1])
        assert best.points(player) == -number(found[2])
        instead = number(found[3])
        assert other.points(player) == (instead if "scoring" in found[3] else -instead)
    elif found := re.fullmatch(rf"{WHO} loses? (\S+) on the floor instead of (\S+)", text):
        player = who(best, found[1])
        assert (best.floors[player - 1], other.floors[player - 1]) == (
            number(found[2]),
            number(found[3]),
        )
    elif found := re.fullmatch(
        r"you need not drop (\w+) (\w+) \((\d+) lost on the floor instead of (\d+)\)", text
    ):
        wanted = (letter(found[2]), NUMBERS.index(found[1]))
        turns = [t for t in range(1, len(other.line.moves)) if other.states[t].mover == me - 1]
        assert any(other.dropped(t) == wanted and other.forced(t) == wanted[1] for t in turns)
        assert (best.floors[me - 1], other.floors[me - 1]) == (int(found[3]), int(found[4]))
    elif found := re.fullmatch(rf"{WHO} starts? the next round", text):
        assert best.end.mover + 1 == who(best, found[1])
        assert other.end.mover != best.end.mover
    elif found := re.fullmatch(r"you keep (\w+) tiles in your lines instead of (\w+)", text):
        assert best.waiting(me) == NUMBERS.index(found[1])
        assert other.waiting(me) == NUMBERS.index(found[2])
    elif found := re.fullmatch(r"you bring (.+) to (\w+) tiles instead of (\w+)", text):
        reached, less = NUMBERS.index(found[2]), NUMBERS.index(found[3])
        assert (count(best, me, found[1]), count(other, me, found[1])) == (reached, less)
    elif found := re.fullmatch(r"you complete (.+)", text):
        assert count(best, me, found[1]) == 5 > count(other, me, found[1])
    elif found := re.fullmatch(rf"{WHO} does not complete (.+)", text):
        player = who(best, found[1])
        assert count(best, player, found[2]) < 5 == count(other, player, found[2])
    else:
        check_result(text, best, other, me)


def count(replay: Replay, player: int, what: str) -> int:
    if found := re.fullmatch(r"column (\d)", what):
        return replay.column(player, int(found[1]))
    return replay.color(player, letter(what.removeprefix("all five ")))


def check_result(text: str, best: Replay, other: Replay, me: int) -> None:
    """A claim about the end of the game."""
    standing = r"(win|share the win|lose|winning|sharing the win|losing)? ?(\d+) to (\d+)"
    if found := re.fullmatch(rf"you {standing} instead of {standing}", text):
        assert_standing(best, me, found[1], found[2], found[3])
        assert_standing(other, me, found[4] or found[1], found[5], found[6])
    elif found := re.fullmatch(rf"it ends the game as you {standing}", text):
        assert_standing(best, me, found[1], found[2], found[3])
    elif found := re.fullmatch(rf"the game goes on instead of ending as you {standing}", text):
        assert best.end.stage != "over"
        assert_standing(other, me, found[1], found[2], found[3])
    else:
        raise AssertionError(f"an unknown claim: {text}")


def assert_standing(replay: Replay, me: int, verb: str, mine: str, rival: str) -> None:
    assert replay.end.stage == "over"
    share = rules.win_shares(replay.end)[me - 1]
    expected = "win" if share == 1 else "shar" if share else "los"
    assert verb.startswith(expected)
    assert (replay.totals[me - 1], replay.best_rival(me)) == (int(mine), int(rival))


# --- facts -------------------------------------------------------------------------------


def check_facts(replay: Replay) -> None:
    """Turns and outcomes of a line say what happens in it."""
    line, end = replay.line, replay.end
    over = end.stage == "over"
    assert (line.game_over, line.next_start) == (over, end.mover + 1)
    for index, turn in enumerate(line.turns):
        color, dropped = replay.dropped(index)
        assert (turn["move"], turn["player"]) == (line.moves[index], replay.states[index].mover + 1)
        assert (turn["color"], turn["drops"], turn["least"]) == (
            color,
            dropped,
            replay.forced(index),
        )
    for player, facts in enumerate(line.players, 1):
        board, before = end.boards[player - 1], replay.states[0].boards[player - 1]
        assert (facts["player"], facts["points"]) == (player, replay.points(player))
        assert facts["floor"] == replay.floors[player - 1]
        assert facts["total"] == (replay.totals[player - 1] if over else board.score)
        assert facts["place"] == (replay.place(player) if over else None)
        assert facts["points"] == max(-before.score, facts["wall"] - facts["floor"])
        assert facts["columns"] == [replay.column(player, number) for number in range(1, 6)]
        assert facts["rows"] == [sum(tile is not None for tile in row) for row in board.wall]
        assert facts["colors"] == {letter: replay.color(player, letter) for letter in COLORS}
        lines = {begun["line"]: (begun["color"], begun["tiles"]) for begun in facts["begun"]}
        assert lines == {row: line for row, line in enumerate(board.lines, 1) if line[1]}
        cells = {
            (row + 1, column + 1, tile)
            for row in range(5)
            for column, tile in enumerate(board.wall[row])
            if tile and not before.wall[row][column]
        }
        assert cells == {
            (done["line"], done["column"], done["color"]) for done in facts["completed"]
        }


def check(state: Any, found: Explanation) -> Counter[str]:
    """Replay an explanation; returns how often each kind of reason was given."""
    assert found.other is not None
    best, other = Replay(state, found.best), Replay(state, found.other)
    for replay in (best, other):
        check_facts(replay)
        assert replay.line.moves[0] == replay.line.move
    for reason in found.reasons:
        check_claim(reason.text, best, other)
    weights = [reason.weight for reason in found.reasons]
    assert weights == sorted(weights, reverse=True)
    check_sentence(found.sentence, best, other)
    return Counter(reason.kind for reason in found.reasons)


@settings(max_examples=5)
@given(players=st.integers(2, 4), seed=st.integers(0, 2**32))
def test_every_claim_holds_when_it_is_replayed(players: int, seed: int) -> None:
    """Two legal moves of any position, good or bad, each led on by the one-ply player."""
    choices = np.random.default_rng(seed)
    for state in list(random_states(players, seed))[:: 3 * players]:
        if state.stage == game.DECISION and len(legal_moves(state)) > 1:
            pair = [int(move) for move in choices.choice(legal_moves(state), 2, replace=False)]
            names = [format_move(state, move) for move in pair]
            check(state, explain.explain(state, *([move] for move in pair), names=names))


def test_all_kinds_of_reasons_are_replayed() -> None:
    """So that the test above leaves none out; played well, since columns want completing."""
    player = azul_ai.engine.Player("azul", "greedy", Limit())
    seen: Counter[str] = Counter()
    for seed in range(3):
        for start in random_states(2 + seed % 2, seed):
            if start["round"] == 1 and start.stage == game.DECISION:
                break
        state, generator = start.copy(), azul_ai.rng.new(seed)
        while state.stage != game.OVER:
            if state.stage == game.DEAL:
                game.deal_round(state, generator)
                continue
            best = player.choose(state, 0)
            for other in legal_moves(state, distinct=True)[::10]:
                for pair in ([best, other], [other, best]):
                    if other != best:
                        names = [format_move(state, move) for move in pair]
                        lines = ([move] for move in pair)
                        seen += check(state, explain.explain(state, *lines, names=names))
            game.play(state, best)
    assert set(seen) >= {
        "result", "points", "floor", "start", "column", "column progress", "color progress",
        "waiting",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "move", "other", "kind"),
    [
        ("overflow-to-the-lid-A04", "F1-R-3", "F1-R-2", "ending"),
        ("two-colors-left-2p", "C-B-5", "C-Y-3", "floor"),
        ("marker-for-four-red-4p", "C-R-4", "F1-Y-1", "points"),
    ],
)
def test_rare_reasons_are_replayed(name: str, move: str, other: str, kind: str) -> None:
    state = to_state(azul_ai.load(str(POSITIONS / f"{name}.toml")))
    for names in ((move, other), (other, move)):
        lines = ([parse_move(state, text)] for text in names)
        seen = check(state, explain.explain(state, *lines, names=names))
        if names[0] == move:
            assert seen[kind]


def test_the_fifth_tile_of_a_color_is_a_reason() -> None:
    walls = ["B....", ".B...", "..B..", "...B.", "....."]
    players = [board(8, ["", "", "", "", "BBBB"], walls), board()]
    document = position(["BKKK"], "1", players, round=5)
    state = to_state(parse(json.dumps(document), check_counts=False))
    names = ("F1-B-5", "F1-B-floor")
    found = explain.explain(state, *([parse_move(state, name)] for name in names), names=names)
    assert check(state, found)["color"]
    assert "you complete all five blue" in found.sentence


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
    check(to_state(position), found.explanation)  # type: ignore[arg-type]


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
    replayed = Replay(state, line)
    assert replayed.end.stage == "deal"
    assert all(past.stage == "decision" for past in replayed.states[:-1])
