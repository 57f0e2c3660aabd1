"""Who has won: the same for the three games, given what counts in which order."""

from __future__ import annotations

Standing = tuple[int, int]
"""A player's final points, then what decides between equal points; more is better."""


def ranking(standings: list[Standing]) -> list[list[int]]:
    """The players, best first; those who share a place stand together."""
    return [
        [player for player, standing in enumerate(standings) if standing == place]
        for place in sorted(set(standings), reverse=True)
    ]


def win_shares(standings: list[Standing]) -> list[float]:
    """1 for the winner and 0 for the others; k players who share the win have 1/k each."""
    winners = ranking(standings)[0]
    return [1 / len(winners) if player in winners else 0.0 for player in range(len(standings))]
