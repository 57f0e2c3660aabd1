"""What an explanation says of a game with a wall, checked with the slow rules."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from tests.explaining import WHO, Replay, in_words, number, spelled_number
from tests.oracle import azul, gray

PENALTIES = (0, 1, 2, 4, 6, 8, 11, 14)
LIFT = 1000
SIZE = range(1, 6)


class WallReplay(Replay):
    """A line of Azul, with either wall."""

    COLORS: ClassVar[dict[str, str]] = {
        "B": "blue",
        "Y": "yellow",
        "R": "red",
        "K": "black",
        "W": "white",
    }
    WASTE = "drop"

    def column(self, player: int, number: int) -> int:
        wall = self.end.boards[player - 1].wall
        return sum(row[number - 1] is not None for row in wall)

    def color(self, player: int, letter: str) -> int:
        return sum(row.count(letter) for row in self.end.boards[player - 1].wall)

    def count(self, player: int, what: str) -> int:
        if found := re.fullmatch(r"column (\d)", what):
            return self.column(player, int(found[1]))
        return self.color(player, self.letter(what.removeprefix("all five ")))

    def waiting(self, player: int) -> int:
        return sum(tiles for _, tiles in self.end.boards[player - 1].lines)

    def settled(self) -> Any:
        """The state after the last move, before the floors are paid; lines may have fallen."""
        state, move = azul.copy(self.states[-2]), self.line.moves[-1]
        if move.startswith("wall"):
            _, row, column = move.split("-")
            board = state.boards[state.mover]
            azul.tile_wall(state, board, int(row) - 1, int(column) - 1)
        else:
            azul.draft(state, move)
        for board in state.boards if self.rules is gray else ():
            for row in range(5):
                if azul.is_full(board, row):
                    assert not gray.legal_cells(board, row)
                    azul.drop(state, board, [board.lines[row][0]] * (row + 1))
        return state

    def floor(self, player: int) -> int:
        return PENALTIES[len(self.settled().boards[player - 1].floor)]

    def gained(self, player: int) -> int:
        """Points of the wall less the floor, not stopping at 0."""
        state = azul.copy(self.began)
        for board in state.boards:
            board.score += LIFT
        for move in [*self.placed_before(), *self.line.moves]:
            state = self.rules.play(state, move)
        return int(state.boards[player - 1].score - self.began.boards[player - 1].score) - LIFT

    def placed_before(self) -> list[str]:
        """The placements between the beginning of wall-tiling and the line's first move."""
        return [
            f"wall-{row + 1}-{column + 1}"
            for now, then in zip(self.states[0].boards, self.began.boards, strict=True)
            for row in range(5)
            for column in range(5)
            if now.wall[row][column] and not then.wall[row][column]
        ]

    def full_lines(self, player: int) -> set[int]:
        """Lines that are full when the last tiles have been taken."""
        lines = [len(line) for line in self.document["players"][player - 1]["lines"]]
        for state, move in zip(self.states, self.line.moves, strict=False):
            if not move.startswith("wall"):
                drafted = azul.copy(state)
                azul.draft(drafted, move)
                lines = [count for _, count in drafted.boards[player - 1].lines]
        return {row for row, count in enumerate(lines, 1) if count == row}

    def fallen(self, player: int) -> set[int]:
        return self.full_lines(player) - {line for line, _, _ in self.new_cells(player)}

    def new_cells(self, player: int) -> set[tuple[int, int, str]]:
        board, before = self.end.boards[player - 1], self.began.boards[player - 1]
        return {
            (row, column, tile)
            for row in SIZE
            for column in SIZE
            if (tile := board.wall[row - 1][column - 1]) and not before.wall[row - 1][column - 1]
        }

    def waste_of(self, state: Any, move: str) -> tuple[str, int] | None:
        if move.startswith("wall"):
            return None
        after = azul.copy(state)
        azul.draft(after, move)
        before, board = state.boards[state.mover], after.boards[state.mover]
        source, color, _ = move.split("-")
        tiles = state.center if source == "C" else state.displays[int(source[1:]) - 1]
        placed = sum(count for _, count in board.lines) - sum(count for _, count in before.lines)
        return color, tiles.count(color) - placed

    def placement(self, turn: int) -> int:
        """The points of a tile placed on the wall."""
        after = azul.copy(self.states[turn])
        board = after.boards[after.mover]
        _, row, column = self.line.moves[turn].split("-")
        before = board.score
        azul.tile_wall(after, board, int(row) - 1, int(column) - 1)
        return int(board.score - before)

    def check_facts(self) -> None:
        super().check_facts()
        for index, turn in enumerate(self.line.turns):
            if turn["move"].startswith("wall"):
                assert turn["points"] == self.placement(index)
                state = self.states[index]
                assert turn["color"] == state.boards[state.mover].lines[turn["line"] - 1][0]
                assert turn["move"] == f"wall-{turn['line']}-{turn['column']}"
        for player, facts in enumerate(self.line.players, 1):
            board = self.end.boards[player - 1]
            assert facts["floor"] == self.floor(player)
            assert facts["wall"] - facts["floor"] == self.gained(player)
            assert facts["columns"] == [self.column(player, number) for number in SIZE]
            assert facts["rows"] == [sum(tile is not None for tile in row) for row in board.wall]
            assert facts["colors"] == {letter: self.color(player, letter) for letter in self.COLORS}
            lines = {begun["line"]: (begun["color"], begun["tiles"]) for begun in facts["begun"]}
            assert lines == {row: line for row, line in enumerate(board.lines, 1) if line[1]}
            cells = {(x["line"], x["column"], x["color"]) for x in facts["completed"]}
            assert cells == self.new_cells(player)
            assert {x["line"] for x in facts.get("fallen", ())} == self.fallen(player)

    def check_deed(self, words: str) -> None:
        before, name = self.states[0], self.line.move
        if name.startswith("wall"):
            _, line, column = name.split("-")
            color = self.COLORS[before.boards[before.mover].lines[int(line) - 1][0]]
            scored = self.placement(0)
            counted = "1 point" if scored == 1 else f"{scored} points"
            assert words == f"puts {color} in column {column} for {counted}"
            return
        color, dropped = self.wasted(0) or ("", 0)
        drafted = azul.copy(before)
        azul.draft(drafted, name)
        line = name.split("-")[2]
        old = new = ("", 0)
        if line != "floor":
            old = before.boards[before.mover].lines[int(line) - 1]
            new = drafted.boards[before.mover].lines[int(line) - 1]
        forms = {
            f"drops {in_words(dropped)} {self.COLORS[color]} on the floor": line == "floor",
            f"fills line {line} exactly": str(new[1]) == line and not dropped,
            f"fills line {line} and drops {in_words(dropped)}": str(new[1]) == line and dropped > 0,
            f"begins line {line} with {in_words(new[1])} of": old[1] == 0 < new[1],
            f"brings line {line} to {in_words(new[1])} of": 0 < old[1] < new[1],
        }
        assert [true for form, true in forms.items() if words.startswith(form)] == [True], words
        takes = before.holder is None and name.startswith("C")
        assert ("takes the starting player marker" in words) == takes

    def check_claim(self, text: str, other: Any) -> None:
        me = self.me
        if found := re.fullmatch(rf"{WHO} scores? (\S+) this round instead of (.+)", text):
            player = self.who(found[1])
            assert self.points(player) == number(found[2])
            assert other.points(player) == number(found[3])
        elif found := re.fullmatch(rf"{WHO} loses? (\d+) this round instead of (.+)", text):
            player = self.who(found[1])
            assert self.points(player) == -number(found[2])
            instead = number(found[3])
            assert other.points(player) == (instead if "scoring" in found[3] else -instead)
        elif found := re.fullmatch(rf"{WHO} loses? (\S+) on the floor instead of (\S+)", text):
            player = self.who(found[1])
            floors = self.floor(player), other.floor(player)
            assert floors == (number(found[2]), number(found[3]))
        elif found := re.fullmatch(
            r"you need not drop (\w+) (\w+) \((\d+) lost on the floor instead of (\d+)\)", text
        ):
            assert other.turns_that_waste((found[1], found[2]), first=1, own=True)
            assert (self.floor(me), other.floor(me)) == (int(found[3]), int(found[4]))
        elif found := re.fullmatch(r"you keep (\w+) tiles in your lines instead of (\w+)", text):
            tiles = self.waiting(me), other.waiting(me)
            assert tiles == (spelled_number(found[1]), spelled_number(found[2]))
        elif found := re.fullmatch(r"you bring (.+) to (\w+) tiles instead of (\w+)", text):
            tiles = self.count(me, found[1]), other.count(me, found[1])
            assert tiles == (spelled_number(found[2]), spelled_number(found[3]))
        elif found := re.fullmatch(r"you complete (.+)", text):
            assert self.count(me, found[1]) == 5 > other.count(me, found[1])
        elif found := re.fullmatch(rf"{WHO} does not complete (.+)", text):
            player = self.who(found[1])
            assert self.count(player, found[2]) < 5 == other.count(player, found[2])
        else:
            self.check_fall(text, other)

    def check_fall(self, text: str, other: Any) -> None:
        found = re.fullmatch(
            r"(your|your opponent's|player \d's) line (\d) "
            r"(finds no cell and falls|does not fall) to the floor",
            text,
        )
        assert found, f"an unknown claim: {text}"
        player = self.who({"your": "you"}.get(found[1], found[1].removesuffix("'s")))
        falls = int(found[2]) in self.fallen(player), int(found[2]) in other.fallen(player)
        assert falls == ((True, False) if found[3].startswith("finds") else (False, True))
