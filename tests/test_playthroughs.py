"""Whole random games go as they went before; see :mod:`tests.playthroughs`."""

from __future__ import annotations

import pytest

from tests import playthroughs


@pytest.mark.parametrize(("variant", "players"), playthroughs.GAMES)
def test_a_game_goes_as_it_went(variant: str, players: int) -> None:
    written = playthroughs.path(variant, players).read_text(encoding="ascii")
    assert playthroughs.playthrough(variant, players).splitlines() == written.splitlines()


def test_every_file_is_of_a_game_and_small() -> None:
    files = set(playthroughs.PLACE.iterdir())
    assert files == {playthroughs.path(*each) for each in playthroughs.GAMES}
    assert all(file.stat().st_size <= 60_000 for file in files)
