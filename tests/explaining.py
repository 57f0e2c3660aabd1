"""What an explanation says, checked by replaying its lines with the slow rules.

What all games have is here; what is said of walls and of palaces is in modules beside this one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any, ClassVar

from azul_ai.explain import Explanation, Line
from tests.conformance.pair import Pair

NUMBERS = ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
WHO = r"(you|your opponent|player \d)"


class Replay:
    """A line played with the slow rules."""

    COLORS: ClassVar[dict[str, str]]
    WASTE: ClassVar[str]  # the verb for what comes into no line

    def __init__(self, pair: Pair, line: Line) -> None:
        self.rules, self.line, self.document = pair.rules, line, pair.document()
        self.began = pair.as_it_began(self.document)[0] if pair.is_secret() else pair.oracle
        self.states = [pair.oracle]
        for move in line.moves:
            self.states.append(self.rules.play(self.states[-1], move))
        self.end = self.states[-1]
        self.over = self.end.stage == "over"
        self.me = self.states[0].mover + 1

    def points(self, player: int) -> int:
        return int(self.end.boards[player - 1].score - self.began.boards[player - 1].score)

    def place(self, player: int) -> int:
        standings = self.rules.standings(self.end)
        return 1 + sum(other > standings[player - 1] for other in standings)

    def totals(self) -> list[int]:
        return list(self.rules.final_points(self.end))

    def best_rival(self) -> int:
        standings = self.rules.standings(self.end)
        rivals = [standing for rank, standing in enumerate(standings, 1) if rank != self.me]
        return int(max(rivals)[0])

    def letter(self, color: str) -> str:
        return {name: letter for letter, name in self.COLORS.items()}[color]

    def who(self, words: str) -> int:
        """The player that a sentence speaks of."""
        if words == "you":
            return self.me
        if words == "your opponent":
            assert self.end.players == 2
            return 3 - self.me
        assert self.end.players > 2
        return int(words.removeprefix("player "))

    def wasted(self, turn: int) -> tuple[str, int] | None:
        """The color of a turn and how many of its tiles came into no line, None if it took none."""
        return self.waste_of(self.states[turn], self.line.moves[turn])

    def waste_of(self, state: Any, move: str) -> tuple[str, int] | None:
        raise NotImplementedError

    def forced(self, turn: int) -> int:
        """The fewest tiles that could be wasted instead."""
        moves = self.rules.legal_moves(self.states[turn])
        wastes = [self.waste_of(self.states[turn], move) for move in moves]
        return min(waste[1] if waste else 0 for waste in wastes)

    def turns_that_waste(self, words: tuple[str, str], *, first: int, own: bool) -> list[int]:
        """The turns in which so many tiles of a color had to be wasted."""
        number, color = words
        wanted = (self.letter(color), spelled_number(number))
        return [
            turn
            for turn in range(first, len(self.line.moves))
            if (self.states[turn].mover + 1 == self.me) == own
            and self.wasted(turn) == wanted
            and self.forced(turn) == wanted[1]
        ]

    # Of each game:

    def check_facts(self) -> None:
        """Turns and outcomes of the line say what happens in it."""
        assert (self.line.game_over, self.line.next_start) == (self.over, self.end.mover + 1)
        for index, turn in enumerate(self.line.turns):
            player = self.states[index].mover + 1
            assert (turn["move"], turn["player"]) == (self.line.moves[index], player)
            waste = self.wasted(index)
            assert ("least" in turn) == (waste is not None)
            if waste:
                assert (turn["color"], turn[f"{self.WASTE}s"]) == waste
                assert turn["least"] == self.forced(index)
        for player, facts in enumerate(self.line.players, 1):
            assert (facts["player"], facts["points"]) == (player, self.points(player))
            score = self.end.boards[player - 1].score
            assert facts["total"] == (self.totals()[player - 1] if self.over else score)
            assert facts["place"] == (self.place(player) if self.over else None)

    def check_deed(self, words: str) -> None:
        """What is said of the line's first move, but for what it forces on others."""
        raise NotImplementedError

    def check_claim(self, text: str, other: Any) -> None:
        """A reason of the game's own; this is the best line."""
        raise NotImplementedError


def check(pair: Pair, found: Explanation, kind: Callable[[Pair, Line], Replay]) -> Counter[str]:
    """Replay an explanation; returns how often each kind of reason was given."""
    assert found.other is not None
    best, other = kind(pair, found.best), kind(pair, found.other)
    for replay in (best, other):
        replay.check_facts()
        assert replay.line.moves[0] == replay.line.move
    for reason in found.reasons:
        check_claim(reason.text, best, other)
    weights = [reason.weight for reason in found.reasons]
    assert weights == sorted(weights, reverse=True)
    check_sentence(found.sentence, best, other)
    return Counter(reason.kind for reason in found.reasons)


# --- claims, as sentences make them ------------------------------------------------------


def check_sentence(sentence: str, best: Replay, other: Replay) -> None:
    """Every part of a sentence is of a known form and true."""
    opening, _, rest = sentence.rpartition("; ")
    check_opening(opening, best)
    name, both_over = other.line.move, best.over and other.over
    if rest == f"what it gains over {name} comes after this round.":
        assert not both_over
    elif rest == f"it comes to the same as {name}.":
        assert both_over
        assert best.totals() == other.totals()
    elif rest == f"played on as shown here it comes to no more than {name}.":
        assert both_over
        assert standing(best) <= standing(other)
    else:
        found = re.fullmatch(rf"compared with the line of {name}, (.+)\.", rest)
        assert found, rest
        for part in re.split(r", though |, | and (?=you |your |player |the |it )", found[1]):
            check_claim(part, best, other)


def standing(replay: Replay) -> tuple[float, int]:
    """How a finished game stands for the mover: better is larger."""
    share = replay.rules.win_shares(replay.end)[replay.me - 1]
    place = -replay.place(replay.me) - (share not in (0, 1)) / 2
    return place, replay.totals()[replay.me - 1] - replay.best_rival()


def check_opening(text: str, best: Replay) -> None:
    name, deed = text.split(" ", 1)
    assert name == best.line.move
    verb = best.WASTE
    if found := re.search(rf"(?:,? and) leaves (\w+) to (.+), who must {verb} (\w+)$", deed):
        assert best.turns_that_waste((found[3], found[1]), first=1, own=False)[0] == 1
        assert best.states[1].mover + 1 == best.who(found[2])
    elif found := re.search(rf"(?:,? and) later (.+) must {verb} (\w+) (\w+)$", deed):
        turns = best.turns_that_waste((found[2], found[3]), first=2, own=False)
        assert any(best.who(found[1]) == best.states[turn].mover + 1 for turn in turns)
    deed = deed[: found.start()] if found else deed
    assert "must" not in deed
    best.check_deed(deed)


def in_words(number: int) -> str:
    """A number of tiles as sentences have it."""
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


def spelled_number(words: str) -> int:
    """A number of tiles, in words up to ten."""
    return NUMBERS.index(words) if words in NUMBERS else int(words)


def number(words: str) -> int:
    """A number of points: "nothing", "5", "losing 2"."""
    words = words.removesuffix(" this round")
    if words.startswith(("losing ", "lose ", "loses ")):
        return -number(words.partition(" ")[2])
    words = words.removeprefix("scoring ")
    return 0 if words in ("nothing", "none") else int(words)


def check_claim(text: str, best: Replay, other: Replay) -> None:
    """One reason, as its text says it."""
    if found := re.fullmatch(rf"{WHO} starts? the next round", text):
        assert best.end.mover + 1 == best.who(found[1])
        assert other.end.mover != best.end.mover
        assert not best.over
    elif re.search(r" -?\d+ to -?\d+", text):
        check_result(text, best, other)
    else:
        best.check_claim(text, other)


def check_result(text: str, best: Replay, other: Replay) -> None:
    """A claim about the end of the game."""
    form = r"(win|share the win|lose|winning|sharing the win|losing)? ?(-?\d+) to (-?\d+)"
    if found := re.fullmatch(rf"you {form} instead of {form}", text):
        assert_standing(best, found[1], found[2], found[3])
        assert_standing(other, found[4] or found[1], found[5], found[6])
    elif found := re.fullmatch(rf"it ends the game as you {form}", text):
        assert_standing(best, found[1], found[2], found[3])
    else:
        found = re.fullmatch(rf"the game goes on instead of ending as you {form}", text)
        assert found, f"an unknown claim: {text}"
        assert not best.over
        assert_standing(other, found[1], found[2], found[3])


def assert_standing(replay: Replay, verb: str, mine: str, rival: str) -> None:
    assert replay.over
    share = replay.rules.win_shares(replay.end)[replay.me - 1]
    expected = "win" if share == 1 else "shar" if share else "los"
    assert verb.startswith(expected)
    assert (replay.totals()[replay.me - 1], replay.best_rival()) == (int(mine), int(rival))
