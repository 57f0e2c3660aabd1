"""Samples with their boards in any order.

The first layer has numbers of its own for each seat, but a board is worth the same wherever it
lies: who sits where matters only by how many seats after the starter. So while a network is
fitted each sample's boards change places at random, and each says how far after the starter it
sits. What is learned of one seat is then known of all, from the same games. In the end every
board is back at its seat, and what it says of that is always the same: part of the bias.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from azul_ai.evaluation.network import FIRST, Layout
from azul_ai.game import MAX_PLAYERS
from azul_ai.training.layers import Floats, Layers

Orders = npt.NDArray[np.int64]
"""By sample, whose board lies in each place, as seats after the starter; (n, players)."""


class Seating:
    """What a network sees of samples, without inputs that are always zero.

    :param inputs: of the boards in order of their seats, (n, inputs of the layout).
    """

    def __init__(self, inputs: Floats, layout: Layout, players: int) -> None:
        table = inputs[:, : layout.table]
        boards = inputs[:, layout.table : layout.table + players * layout.board]
        boards = boards.reshape(len(inputs), players, layout.board)
        self._layout, self._players = layout, players
        self._on_table, self._on_board = table.any(axis=0), boards.any(axis=(0, 1))
        self._table = np.ascontiguousarray(table[:, self._on_table])
        self._boards = np.ascontiguousarray(boards[:, :, self._on_board])
        self._distances = np.eye(players, dtype=np.float32)

    @property
    def width(self) -> int:
        """Inputs of a sample."""
        return self._table.shape[1] + self._players * self._place

    def in_order(self, rows: Any) -> Orders:
        """Every board of some samples at its seat."""
        return np.tile(np.arange(self._players), (len(rows), 1))

    def inputs(self, rows: Any, orders: Orders) -> Floats:
        """The inputs of some samples in some orders."""
        boards = (self._boards[rows[:, None], orders], self._distances[orders])
        places = np.concatenate(boards, axis=2).reshape(len(rows), -1)
        return np.concatenate([self._table[rows], places], axis=1)

    def gather(self, layers: Layers) -> Layers:
        """A network's numbers from those for these inputs; inputs never seen have no effect."""
        found, bias, *others = (numbers.copy() for numbers in layers)
        tables = self._table.shape[1]
        places = found[tables:].reshape(self._players, self._place, FIRST)
        first = np.zeros((self._layout.inputs, FIRST), dtype=np.float32)
        first[: self._layout.table][self._on_table] = found[:tables]
        boards = first[self._layout.table :].reshape(MAX_PLAYERS, self._layout.board, FIRST)
        boards[: self._players, self._on_board] = places[:, : -self._players]
        for seat in range(self._players):
            bias += places[seat, seat - self._players]
        return [first, bias, *others]

    @property
    def _place(self) -> int:
        """Inputs of a place."""
        return self._boards.shape[2] + self._players
