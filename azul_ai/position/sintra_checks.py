"""Everything that can be wrong with a Sintra position whose values could be read.

Each check yields the faults it finds, and all checks always run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from azul_ai.games.palace import PLACES, SIDES, TRACK_END
from azul_ai.games.strips import SPACES
from azul_ai.games.supply import DISPLAY_SIZE, DISPLAYS
from azul_ai.position import table_checks
from azul_ai.position.faults import Fault
from azul_ai.position.sintra_facts import (
    EMPTY,
    JOKER,
    KIND,
    LETTERS,
    PALETTE,
    ROUNDS,
    most_points,
    phase,
)
from azul_ai.position.sintra_model import BACK, FRONT, Palace, SintraPosition, Strip
from azul_ai.position.sintra_prints import TRACK_VALUE, joker_faults, print_faults, prints_faults
from azul_ai.position.table import Phase
from azul_ai.position.words import MARKER, counted

Faults = Iterator[Fault]

WINDOW_SIZE = 2


def check(position: SintraPosition, gaps: Sequence[str], check_counts: bool) -> list[Fault]:
    """All faults of a position.

    :param gaps: fields whose values could not be read and were replaced by nothing.
    :param check_counts: whether panes must add up to 20 of each color.
    """
    unreadable = [*table_checks.letters(position, KIND), *_strips(position, gaps)]
    gaps = [*gaps, *(fault.field for fault in unreadable)]
    faults = [
        *unreadable,
        *prints_faults(position.prints),
        *_side(position, gaps),
        *table_checks.names(position),
        *table_checks.numbers(position, KIND, ROUNDS),
        *table_checks.displays(position, KIND),
        *_boards(position, gaps),
    ]
    if table_checks.has_players(position):
        faults += table_checks.center(position, KIND)
        faults += _starting_tile(position, not gaps)
        if not gaps:
            faults += _scores(position)
        if check_counts and not gaps:
            faults += table_checks.dealt(position, KIND)
    if "indicator" not in gaps and 0 <= position.round <= ROUNDS:
        faults += _indicator(position)
    faults += table_checks.conservation(position, KIND, not gaps, check_counts)
    return faults


def _side(position: SintraPosition, gaps: Sequence[str]) -> Faults:
    if position.side not in SIDES and "side" not in gaps:
        reason = f'There is no side "{position.side}".'
        yield Fault("side", reason, f"Write {' or '.join(SIDES)}.")


def _indicator(position: SintraPosition) -> Faults:
    """A pane for this round and each to come; those of rounds 2-6 are of different colors."""
    panes, left = position.indicator, ROUNDS - position.round
    wanted = [left + 1] if position.round else [left]
    if phase(position) is not Phase.DRAFTING:
        wanted.append(left)
    if len(panes) not in wanted:
        reason = f"The round indicator has {counted(len(panes), 'pane')} in round {position.round}."
        yield Fault("indicator", reason, f"Write {wanted[0]}: this round's first, then the others.")
        return
    later = panes[-(ROUNDS - 1) :]
    for letter in LETTERS:
        if later.count(letter) > 1:
            reason = f"The round indicator has {PALETTE.name(letter)} twice in rounds 2-{ROUNDS}."
            yield Fault("indicator", reason, "Each of these rounds has a color of its own.")


# --- strips -------------------------------------------------------------------------------


def _strips(position: SintraPosition, gaps: Sequence[str]) -> Faults:
    """What is printed and what lies on strips."""
    for index, player in enumerate(position.players):
        owner = f"player {index + 1}"
        sides = []
        for place, strip in enumerate(player.strips):
            field = f"players[{index}].strips[{place}]"
            if strip is None or any(gap.startswith(field) for gap in gaps):
                continue
            name = f"trip {place + 1} of {owner}"
            sides += [strip.front, strip.back]
            yield from print_faults(f"{field}.front", f"The front of s{name}", strip.front)
            yield from print_faults(f"{field}.back", f"The back of s{name}", strip.back)
            if strip.up not in (FRONT, BACK):
                reason = f'S{name} has the side "{strip.up}" up.'
                yield Fault(f"{field}.up", reason, f'Write "{FRONT}" or "{BACK}".')
            elif len(strip.prints) == SPACES:
                yield from _panes(f"{field}.filled", f"S{name}", strip)
        yield from joker_faults(f"players[{index}].strips", f"Player {index + 1} has", sides)


def _panes(field: str, name: str, strip: Strip) -> Faults:
    """Panes on the side of a strip that is up."""
    panes = strip.filled
    if len(panes) != SPACES:
        reason = f"{name} has {counted(len(panes), 'space')} filled or empty, not {SPACES}."
        yield Fault(field, reason, f'Write a letter or "{EMPTY}" for each space.')
        return
    if EMPTY not in panes:
        reason = f"{name} is full: it was completed at once."
        yield Fault(field, reason, "Put a pane into the window and turn the strip over.")
    free = {sign for sign, pane in zip(strip.prints, panes, strict=True) if pane == EMPTY}
    for space, (sign, pane) in enumerate(zip(strip.prints, panes, strict=True), 1):
        if pane not in LETTERS:
            continue
        if sign not in (pane, JOKER):
            printed = PALETTE.name(sign) if sign in LETTERS else "another"
            reason = f"{name} has {PALETTE.name(pane)} on space {space}, which is {printed}."
            yield Fault(field, reason, f"That side is printed {strip.prints}.")
        elif sign == JOKER and pane in free:
            reason = f"{name} has {PALETTE.name(pane)} on a joker while a space of it is empty."
            yield Fault(field, reason, "Color spaces are filled first.")


# --- boards -------------------------------------------------------------------------------


def _boards(position: SintraPosition, gaps: Sequence[str]) -> Faults:
    for index, player in enumerate(position.players):
        field, owner = f"players[{index}]", f"player {index + 1}"
        for place, panes in enumerate(player.windows):
            if f"{field}.strips[{place}]" in gaps:
                continue
            yield from _window(field, owner, place, panes, player.strips[place])
        if not 1 <= player.glazier <= PLACES:
            reason = f"The glazier of {owner} stands above place {player.glazier}."
            yield Fault(f"{field}.glazier", reason, f"Write a number from 1 to {PLACES}.")
        if not 0 <= player.broken < TRACK_END:
            reason = f"The marker of {owner} is {player.broken} steps down the broken glass track."
            hint = f"Write 0 to {TRACK_END - 1}; from the last space it goes back to the top."
            yield Fault(f"{field}.broken", reason, hint)
        if player.lost % TRACK_VALUE or player.lost < 0:
            reason = f"The end of the track cannot have cost {owner} {player.lost} points."
            yield Fault(f"{field}.lost", reason, f"It costs {-TRACK_VALUE} each time.")


def _window(field: str, owner: str, place: int, panes: str, strip: Strip | None) -> Faults:
    name = f"indow {place + 1} of {owner}"
    if len(panes) > WINDOW_SIZE:
        reason = f"W{name} holds {len(panes)} panes; it has {WINDOW_SIZE} spaces."
        yield Fault(f"{field}.windows[{place}]", reason, "The other panes go to the tower.")
    elif (len(panes) == WINDOW_SIZE) != (strip is None):
        if strip is None:
            reason = f"Strip {place + 1} of {owner} is gone, but w{name} is not complete."
            hint = "Write the strip, or two panes in the window."
        else:
            reason = f"W{name} is complete, but its strip is there."
            hint = 'Write "" for that strip: it is removed with the second pane.'
        yield Fault(f"{field}.strips[{place}]", reason, hint)


def _scores(position: SintraPosition) -> Faults:
    """Losses and points that cannot be."""
    dealt = DISPLAY_SIZE * DISPLAYS[len(position.players)] * max(0, position.round)
    for index, player in enumerate(position.players):
        field, owner = f"players[{index}]", f"Player {index + 1}"
        steps = player.lost // -TRACK_VALUE * TRACK_END + player.broken
        if steps > dealt + max(0, position.round):
            reason = f"{owner} cannot have gone {steps} steps down the track by now."
            yield Fault(f"{field}.lost", reason, "Correct broken and lost, or the round.")
        low, high = _score_range(position, player)
        if not low <= player.score <= high:
            yield Fault(
                f"{field}.score",
                f"{owner} cannot have {player.score} points: with these windows and losses the "
                f"score is {low} to {high}.",
                "Enter the score before the final scoring, all panes in windows, and the "
                "window points of the board on the table.",
            )


def _score_range(position: SintraPosition, player: Palace) -> tuple[int, int]:
    """The least and the most points that completed strips and losses can have left."""
    points = position.prints.window_points
    least = sum(len(panes) * own for panes, own in zip(player.windows, points, strict=True))
    most = most_points(position, player)
    if position.clamp:
        return 0, most
    return least - player.lost, most - player.lost


def _starting_tile(position: SintraPosition, complete: bool) -> Faults:
    given, settled = position.next_start, phase(position) is Phase.SETTLED
    in_center = position.center.count(MARKER)
    if in_center > 1:
        reason = f"The starting tile lies in the center {in_center} times."
        yield Fault("center", reason, f'There is one: write "{MARKER}" once.')
    if in_center and given is not None:
        reason = "The starting tile lies in the center, so nobody starts next yet."
        yield Fault("next_start", reason, f'Leave next_start out, or "{MARKER}" in the center.')
    if not in_center and given is None and not settled and complete:
        reason = "The starting tile is not in the center, and nobody is said to have it."
        hint = f'Write "{MARKER}" in the center, or next_start: the player who has taken it.'
        yield Fault("next_start", reason, hint)
    if settled and given is not None and given != position.to_move:
        reason = f"Player {given} starts next, but player {position.to_move} is to move."
        yield Fault("next_start", reason, "Between rounds both are the same.")
