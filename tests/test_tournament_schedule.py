from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from azul_ai.games import azul, supply
from azul_ai.settings import SettingError
from azul_ai.tournament import deals, players, schedule
from azul_ai.tournament import settings as settings_module
from azul_ai.tournament.deals import BagOrder
from azul_ai.tournament.hypotheses import Hypotheses
from azul_ai.tournament.players import Entrant
from azul_ai.tournament.settings import Settings

ENTRANTS = tuple(Entrant(name, "random") for name in "abcd")


def settings(number: int, **changes: object) -> Settings:
    return schedule.complete(Settings("azul", ENTRANTS[:number], **changes))  # type: ignore[arg-type]


def names(seating: tuple[Entrant, ...]) -> str:
    return "".join(entrant.name for entrant in seating)


# --- who meets whom ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "seats", "expected"),
    [
        (2, 2, ["ab ba"]),
        (3, 2, ["ab ba", "ac ca", "bc cb"]),
        (3, 3, ["abc bca cab"]),
        (4, 3, ["abc bca cab", "abd bda dab", "acd cda dac", "bcd cdb dbc"]),
        (2, 3, ["aab aba abb baa bab bba"]),
        (2, 4, ["aaab aaba aabb abaa abab abba abbb baaa baab baba babb bbaa bbab bbba"]),
    ],
)
def test_seatings(number: int, seats: int, expected: list[str]) -> None:
    first_deal = [
        group
        for group in schedule.groups(settings(number, seats=seats, games=1))
        if group.seed == deals.derive(1, 0)
    ]
    assert [" ".join(map(names, group.seatings)) for group in first_deal] == expected


@pytest.mark.parametrize(("seats", "orders"), [(3, 2), (4, 6)])
def test_everybody_sits_before_everybody_equally_often(seats: int, orders: int) -> None:
    groups = list(schedule.groups(settings(seats, seats=seats, games=seats * orders)))
    assert len(groups) == orders
    after = Counter(
        seating[seat].name + seating[(seat + 1) % seats].name
        for group in groups
        for seating in group.seatings
        for seat in range(seats)
    )
    assert len(after) == seats * (seats - 1)
    assert len(set(after.values())) == 1


@given(st.integers(2, 4), st.integers(2, 4), st.integers(1, 30), st.booleans())
def test_every_seat_is_everybodys_equally_often(
    number: int, seats: int, games: int, gauntlet: bool
) -> None:
    chosen = settings(number, seats=seats, games=games, gauntlet=gauntlet)
    groups = list(schedule.groups(chosen))
    for group in groups:
        for seat in range(seats):
            sitting = Counter(seating[seat].name for seating in group.seatings)
            assert len(set(sitting.values())) == 1
    size = schedule.group_size(chosen)
    ids = [group.first_game + index for group in groups for index in group.missing]
    assert ids == list(range(schedule.total_games(chosen) or 0))
    per_pairing = len(ids) // len(schedule.pairings(chosen))
    assert games <= per_pairing < games + size
    assert [group.number for group in groups] == list(range(len(groups)))


def test_a_gauntlet_is_the_first_player_against_each_other() -> None:
    pairings = schedule.pairings(settings(4, gauntlet=True))
    assert [names(pairing) for pairing in pairings] == ["ab", "ac", "ad"]


def test_all_pairings_play_the_same_deals() -> None:
    groups = list(schedule.groups(settings(3, games=6)))
    seeds = [group.seed for group in groups]
    assert seeds[0:3] == 3 * seeds[0:1]
    assert len(set(seeds)) == 3
    other = [group.seed for group in schedule.groups(settings(3, games=6, seed=2))]
    assert not set(other) & set(seeds)


def test_deals_from_a_file() -> None:
    chosen = settings(2, deals=("12", "BBYR"))
    groups = list(schedule.groups(chosen))
    assert chosen.games == 4
    assert [(group.seed, group.given) for group in groups] == [
        (12, ()),
        (deals.derive(1, 1), (0, 0, 1, 2)),
    ]


@pytest.mark.parametrize(
    ("number", "changes", "field"),
    [
        (1, {}, "player"),
        (2, {"seats": 5}, "seats"),
        (3, {"sprt": Hypotheses()}, "sprt"),
        (2, {"deals": ("BBX",)}, "deals[0]"),
        (2, {"deals": ("1", "B" * 21)}, "deals[1]"),
        (2, {"deals": ("1",), "games": 3}, "deals"),
    ],
)
def test_settings_that_cannot_be_played(
    number: int, changes: dict[str, object], field: str
) -> None:
    with pytest.raises(SettingError) as caught:
        settings(number, **changes)
    assert caught.value.field == field


@pytest.mark.parametrize(
    "chosen",
    [
        settings(2, games=7, seed=3, strict=True),
        settings(2, sprt=Hypotheses(1, 5, 0.01, 0.1)),
        settings(4, seats=4, deals=("5", "BYR"), gauntlet=True),
    ],
)
def test_settings_survive_the_header(chosen: Settings) -> None:
    assert settings_module.from_dict(chosen.to_dict()) == chosen


# --- players ----------------------------------------------------------------------------


def test_a_player_as_one_csv_record() -> None:
    entrant = players.parse('name=x,engine=process,command="python bot.py, ""a""",time=0.5')
    assert entrant.name == "x"
    assert entrant.settings == {"command": 'python bot.py, "a"'}
    assert entrant.limit.time == 0.5
    assert players.parse('engine=process,"command=a, b"').settings == {"command": "a, b"}
    assert players.parse("engine=greedy, evaluation=handmade").options == (
        ("evaluation", "handmade"),
    )
    assert players.parse("engine=ismcts,iterations=5").name == "ismcts iterations=5"


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("name=x", "player.engine"),
        ("engine=greedy,x", "player"),
        ("engine=greedy,engine=random", "player.engine"),
    ],
)
def test_players_that_cannot_be_read(text: str, field: str) -> None:
    with pytest.raises(SettingError) as caught:
        players.parse(text)
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("key", "value"),
    [("time", "fast"), ("time", "0"), ("iterations", "1.5"), ("depth", "-1")],
)
def test_limits_that_are_none(key: str, value: str) -> None:
    entrant = players.parse(f"engine=ismcts,{key}={value}")
    with pytest.raises(SettingError) as caught:
        _ = entrant.limit
    assert caught.value.field == key


def test_players_from_toml(tmp_path: Path) -> None:
    path = tmp_path / "players.toml"
    tables = ['engine = "ismcts"\niterations = 20', 'name = "g"\nengine = "greedy"']
    path.write_text("".join(f"[[players]]\n{table}\n" for table in tables))
    loaded = players.load(path)
    assert [entrant.name for entrant in loaded] == ["ismcts iterations=20", "g"]
    assert loaded[0].limit.iterations == 20
    path.write_text("players = 3")
    with pytest.raises(SettingError, match="no players"):
        players.load(path)
    with pytest.raises(SettingError, match="are called 'g'"):
        players.check([loaded[1], loaded[1]])


# --- what comes out of the bag ----------------------------------------------------------


def full_bag(seats: int = 2) -> object:
    return azul.new_state(seats)


def dealt(order: BagOrder, state: object, rounds: int) -> list[int]:
    return [int(word) for _ in range(rounds) for word in order.deal(state)]


def test_every_tile_comes_once_and_depends_on_the_seed_only() -> None:
    state = full_bag()
    first = dealt(BagOrder(state, 7), state, 5)
    assert first == dealt(BagOrder(state, 7), state, 5)
    assert first != dealt(BagOrder(state, 8), state, 5)
    assert sum(first) == supply.TILES_PER_COLOR * supply.ONES


def test_given_tiles_come_first() -> None:
    state = full_bag()
    letters = "BYRKW"
    given_colors = [letters.index(letter) for letter in "BBYRKKWW"]
    displays = BagOrder(state, 7, given_colors).deal(state)
    assert deals.to_text(displays, letters).startswith("BBYR,KKWW,")
    with pytest.raises(ValueError, match="color 1"):
        BagOrder(state, 7, [0] * 21)


def test_orders_are_fair() -> None:
    state = full_bag()
    state["bag"] = supply.ONES  # one tile of each color
    positions = np.zeros((5, 5))
    for seed in range(2000):
        order = BagOrder(state, seed)
        for place, color in enumerate(reversed(order._queue)):
            positions[place, color] += 1
    assert stats.chisquare(positions.ravel()).pvalue > 1e-3


def test_the_lid_follows_when_the_bag_is_used_up() -> None:
    state = full_bag(4)
    state["bag"], state["lid"] = 10, 12 << supply.FIELD  # 10 blue, then 12 yellow
    displays = BagOrder(state, 3).deal(state)
    text = deals.to_text(displays, "BYRKW")
    assert text == "BBBB,BBBB,BBYY,YYYY,YYYY,YY,,,"


def test_lids_that_differ_by_a_tile_give_the_same_order_of_the_others() -> None:
    def refilled(lid: int) -> list[int]:
        state = full_bag()
        state["bag"], state["lid"] = 0, lid
        order = BagOrder(state, 11)
        order.deal(state)
        return order._queue[::-1]

    lid = 12 * supply.ONES
    less = refilled(lid - 1)
    more = refilled(lid)
    rest = iter(more)
    missing = [color for color in less if color not in rest]  # a subsequence leaves none
    assert not missing
