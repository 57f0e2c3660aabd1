"""What an explanation says of Stained Glass of Sintra, checked with the slow rules."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any, ClassVar

from tests.explaining import WHO, Replay, in_words, number, spelled_number
from tests.oracle import sintra


class PalaceReplay(Replay):
    """A line of Sintra, on either side."""

    COLORS: ClassVar[dict[str, str]] = {
        "B": "blue",
        "Y": "yellow",
        "O": "orange",
        "G": "green",
        "P": "pink",
    }
    WASTE = "break"

    def board(self, player: int) -> sintra.Board:
        found: sintra.Board = self.end.boards[player - 1]
        return found

    def glass(self, player: int) -> int:
        """What broken glass costs in all, at the end of the line less at its beginning."""
        end, before = self.board(player), self.began.boards[player - 1]
        track = self.end.track
        return int(end.lost - track[end.broken] - before.lost + track[before.broken])

    def scored(self, player: int) -> int:
        """What the strips score: the score without the losses."""
        lost = self.board(player).lost - self.began.boards[player - 1].lost
        return self.points(player) + lost

    def color_points(self, player: int) -> int:
        return sum(
            panes.count(self.began.indicator[0])
            for owner, _, panes in self.completions()
            if owner == player
        )

    def completions(self) -> list[tuple[int, int, list[str]]]:
        """The strips that get full: whose, which, and the panes on it."""
        found = []
        for state, move in zip(self.states, self.line.moves, strict=False):
            if move == "glazier" or move.endswith("break"):
                continue
            source, color, place = move.split("-")[:3]
            strip = int(place) - 1
            if sintra.completes(state, source, color, strip):
                panes = sintra.after_placing(state, source, color, strip)
                found.append((state.mover + 1, strip + 1, [pane for pane in panes if pane]))
        return found

    def begun(self, player: int) -> dict[int, int]:
        strips = enumerate(self.board(player).strips, 1)
        panes = {place: 5 - strip.filled.count(None) for place, strip in strips if strip}
        return {place: number for place, number in panes.items() if number}

    def bonus(self, player: int) -> int:
        return sintra.bonus(self.end, self.board(player))

    def waste_of(self, state: Any, move: str) -> tuple[str, int] | None:
        if move == "glazier":
            return None
        source, color, place = move.split("-")[:3]
        tiles = state.center if source == "C" else state.displays[int(source[1:]) - 1]
        if place == "break":
            return color, tiles.count(color)
        strip = state.boards[state.mover].strips[int(place) - 1]
        after = sintra.after_placing(state, source, color, int(place) - 1)
        return color, tiles.count(color) - (strip.filled.count(None) - after.count(None))

    def check_facts(self) -> None:
        super().check_facts()
        for player, facts in enumerate(self.line.players, 1):
            board = self.board(player)
            assert facts["scored"] == self.scored(player)
            assert facts["color_points"] == self.color_points(player)
            assert facts["glass"] == self.glass(player)
            assert (facts["broken"], facts["glazier"]) == (board.broken, board.glazier + 1)
            assert facts["round_color"] == self.began.indicator[0]
            completed = [done["strip"] for done in facts["completed"]]
            assert completed == [strip for who, strip, _ in self.completions() if who == player]
            assert {x["strip"]: x["panes"] for x in facts["begun"]} == self.begun(player)
            assert facts["windows"] == [len(window) for window in board.windows]
            assert facts["complete"] == [len(window) for window in board.windows].count(2)
            panes = Counter(pane for window in board.windows for pane in window)
            assert facts["colors"] == {letter: panes[letter] for letter in self.COLORS}
            assert facts["bonus"] == self.bonus(player)
        for index, turn in enumerate(self.line.turns):
            if turn.get("fills"):
                board = self.states[index + 1].boards[turn["player"] - 1]
                before = self.states[index].boards[turn["player"] - 1]
                assert turn["points"] == board.score - before.score + board.lost - before.lost

    def check_deed(self, words: str) -> None:
        before, name = self.states[0], self.line.move
        board = before.boards[before.mover]
        if name == "glazier":
            assert words == f"moves back to strip {self.states[1].boards[before.mover].glazier + 1}"
            return
        source, _, place, *kept = name.split("-")
        color, broken = self.wasted(0) or ("", 0)
        if place == "break":
            assert words.startswith(f"breaks {in_words(broken)} {self.COLORS[color]}")
        else:
            old = 5 - board.strips[int(place) - 1].filled.count(None)
            new = 5 - sintra.after_placing(before, source, color, int(place) - 1).count(None)
            after = self.states[1].boards[before.mover]
            scored = after.score - board.score + after.lost - board.lost
            counted = "1 point" if scored == 1 else f"{scored} points"
            forms = {
                f"completes strip {place} for {counted}": new == 5,
                f"begins strip {place} with {in_words(new)} of five": old == 0 and new < 5,
                f"brings strip {place} to {in_words(new)} of five": old > 0 and new < 5,
            }
            assert [true for form, true in forms.items() if words.startswith(form)] == [True], words
            assert (f"breaks {in_words(broken)}" in words) == (broken > 0)
        assert ("keeps the" in words) == bool(kept)
        if kept:
            assert f"keeps the {self.COLORS[kept[0]]} pane" in words
        takes = before.holder is None and source == "C"
        assert ("takes the starting tile" in words) == takes

    def check_claim(self, text: str, other: Any) -> None:
        me = self.me
        if found := re.fullmatch(
            r"(your|your opponent's|player \d's) strips score (\S+) this round instead of (\S+)"
            r"(?: \((\S+) for the round's (\w+) instead of (\S+)\))?",
            text,
        ):
            player = self.who({"your": "you"}.get(found[1], found[1].removesuffix("'s")))
            assert self.scored(player) == number(found[2])
            assert other.scored(player) == number(found[3])
            if found[4]:
                assert self.letter(found[5]) == self.began.indicator[0]
                points = self.color_points(player), other.color_points(player)
                assert points == (number(found[4]), number(found[6]))
        elif found := re.fullmatch(rf"{WHO} loses? (\S+) by broken glass instead of (\S+)", text):
            player = self.who(found[1])
            losses = self.glass(player), other.glass(player)
            assert losses == (number(found[2]), number(found[3]))
        elif found := re.fullmatch(
            r"you need not break (\w+) (\w+) \((\S+) lost by broken glass instead of (\S+)\)", text
        ):
            assert other.turns_that_waste((found[1], found[2]), first=1, own=True)
            assert (self.glass(me), other.glass(me)) == (number(found[3]), number(found[4]))
        elif found := re.fullmatch(
            r"the bonus of your windows stands at (\d+) instead of (\d+)", text
        ):
            assert (self.bonus(me), other.bonus(me)) == (int(found[1]), int(found[2]))
        elif found := re.fullmatch(r"you bring strip (\d) to (\w+) panes instead of (\w+)", text):
            panes = [replay.begun(me).get(int(found[1]), 0) for replay in (self, other)]
            assert panes == [spelled_number(found[2]), spelled_number(found[3])]
            changed = [x.board(me).windows[int(found[1]) - 1] for x in (self, other)]
            assert changed == [self.began.boards[me - 1].windows[int(found[1]) - 1]] * 2
        elif found := re.fullmatch(r"your strips hold (\w+) panes instead of (\w+)", text):
            panes = [sum(replay.begun(me).values()) for replay in (self, other)]
            assert panes == [spelled_number(found[1]), spelled_number(found[2])]
        else:
            found = re.fullmatch(
                r"your glazier stands above strip (\d) instead of strip (\d)", text
            )
            assert found, f"an unknown claim: {text}"
            places = self.board(me).glazier + 1, other.board(me).glazier + 1
            assert places == (int(found[1]), int(found[2]))
