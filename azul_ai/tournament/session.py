"""A tournament that is being played: what is kept of it, and whether it is decided."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from azul_ai.tournament.records import Game, Record, Writer
from azul_ai.tournament.report import pair_score
from azul_ai.tournament.sprt import SequentialTest


@dataclass
class Session:
    """Games so far, on record if there is a ``writer``, and the test over them if wanted.

    The test is given whole groups in the order of their numbers, whatever order they are
    finished in, so that its decision does not depend on the number of workers.
    """

    record: Record
    writer: Writer | None = None
    test: SequentialTest | None = None
    _by_group: dict[int, list[Game]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        hypotheses = self.record.settings.sprt
        if hypotheses is not None:
            self.test = SequentialTest(hypotheses)
        self._count(self.record.games.values())

    @property
    def decided(self) -> bool:
        """Whether the test has decided, so that no more games are wanted."""
        return self.test is not None and self.test.decision is not None

    def keep(self, games: list[Game]) -> bool:
        """Keep the finished games of a group; return whether the tournament is decided.

        :raises WriteError: they could not be written.
        """
        if self.writer is not None:
            self.writer.add(games)
        self.record.games.update({game.game: game for game in games})
        self._count(games)
        return self.decided

    def _count(self, games: Iterable[Game]) -> None:
        if self.test is None:
            return
        for game in games:
            self._by_group[game.group].append(game)
        a, b = (entrant.name for entrant in self.record.settings.players)
        while (group := self._by_group.get(self.test.groups)) is not None:
            if self.decided or len(group) < group[0].group_size:
                break
            self.test.add(pair_score(group, a, b))
