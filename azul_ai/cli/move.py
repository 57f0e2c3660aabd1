"""``azul-ai move``: what a position becomes by moves and deals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from azul_ai import game
from azul_ai.cli import kernels, options, output, setup
from azul_ai.cli.errors import Failure, Reason
from azul_ai.dealing import deal_generator, parse_deal, random_deal
from azul_ai.jit import Kernel
from azul_ai.notation import parse_move
from azul_ai.position import from_state, to_state


@click.command
@options.position
@click.argument("moves", nargs=-1, metavar="[MOVE]...")
@click.option(
    "--deal",
    "deals",
    multiple=True,
    metavar="BBYR,KKWW,…",
    help="What is dealt when a round is over; once for every deal that comes.",
)
@options.optional_seed
@options.position_format
@setup.board_components
@options.no_count_check
@options.quiet
def command(
    position: str,
    moves: tuple[str, ...],
    deals: tuple[str, ...],
    seed: int | None,
    as_json: bool,
    as_code: bool,
    components: str | None,
    no_count_check: bool,
) -> None:
    """Play moves and deals, and print the position after them.

    What the rules do at the end of a round is done. The next round's displays are given by
    --deal or drawn by --seed; without both, the position printed waits for its deal.

    A move is written F3-B-2 (display 3, blue, line or strip 2) or C-K-floor (center, black,
    floor line); on the gray wall also wall-3-5 (row 3, column 5); in Sintra also F3-B-5-O (the
    orange pane is kept), F3-B-break and glazier.
    """
    if deals and seed is not None:
        raise click.UsageError("Choose one of --deal and --seed.")
    loaded = setup.load_position(position, no_count_check, components)
    output.notice(*loaded.warnings)
    kernels.ready(loaded.game, *_needed(moves, deals, seed))
    state = to_state(loaded)
    dealer = _Dealer(deals, seed)
    for text in moves:
        dealer.deal_if_due(state, before=text)
        game.play(state, parse_move(state, text))
    dealer.deal_if_due(state)
    dealer.check_all_used()
    if state["stage"] == game.DEAL:
        output.notice(f"round {state['round']} is over; deal the next with --deal or --seed")
    after = from_state(state, [player.name for player in loaded.players])
    output.write_position(after, as_json=as_json, as_code=as_code)


def _needed(moves: tuple[str, ...], deals: tuple[str, ...], seed: int | None) -> list[Kernel]:
    """The kernels that will be called, so that no others are compiled."""
    needed = [game.close_round]
    if moves:
        needed.append(game.play)
    if deals or seed is not None:
        needed.append(game.lay_out_round)
    if seed is not None:
        needed += [game.draw_hidden, game.deal_round]
    return needed


class _Dealer:
    """Deals when a round is over, as given or at random."""

    def __init__(self, given: tuple[str, ...], seed: int | None) -> None:
        self._given: Iterator[str] = iter(given)
        self._seed = seed

    def deal_if_due(self, state: Any, before: str = "") -> None:
        """Deal if the state waits for it and a deal is at hand; it must be if a move follows."""
        if state["stage"] != game.DEAL:
            return
        given = next(self._given, None)
        if given is not None:
            game.lay_out_round(state, parse_deal(state, given))
        elif self._seed is not None:
            drawn = random_deal(state, deal_generator(state, self._seed))
            game.lay_out_round(state, drawn)
        elif before:
            reason = f"Round {state['round']} is over; a deal comes before this move."
            raise Failure(Reason(before, reason, "Give it with --deal, or draw it with --seed."))

    def check_all_used(self) -> None:
        """Refuse a given deal that no round's end called for."""
        if left := list(self._given):
            reason = "No deal is due here: the round is not over, or the game is."
            raise Failure(Reason("--deal", reason, f"Leave out {left[0]!r}."))
