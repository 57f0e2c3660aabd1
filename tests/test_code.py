"""One-line codes: their form, and what happens to damaged ones."""

from __future__ import annotations

import re
import string

import pytest

from azul_ai.position import PositionError, from_code, load, parse
from azul_ai.position.code import checksum, wrap
from tests.test_position import EXAMPLE

CODE = (
    "azul:1:3/1/BBYR,,KKWW,YYWW,YRRR/YK1/B5Y8R9K10W8/B6Y5R3K4W8/-/-"
    "/2,,YY,BB,,RR,2R2,3R1,K4,5,5,/0,B,B,BBB,,,5,5,5,5,5,KK"
)


def reason(code: str) -> str:
    with pytest.raises(PositionError) as caught:
        from_code(code)
    (fault,) = caught.value.faults
    assert fault.hint
    return fault.reason


def test_the_documented_form() -> None:
    code = parse(EXAMPLE).code
    assert code.rpartition(":")[0] == CODE
    assert re.fullmatch(r"[A-Za-z0-9.,:/_-]+", code)
    assert re.fullmatch(r"[0-9a-f]{4}", code.rpartition(":")[2])


def test_the_checksum_is_the_published_crc() -> None:
    # The check value of CRC-16/XMODEM in every catalog of such checksums.
    assert checksum("123456789") == "31c3"


def test_any_changed_character_is_noticed() -> None:
    code = parse(EXAMPLE).code
    alphabet = string.ascii_letters + string.digits + ".,:/_-"
    for index, old in enumerate(code):
        for new in alphabet:
            if new != old:
                assert reason(code[:index] + new + code[index + 1 :])


def test_a_flipped_character_is_called_one() -> None:
    assert "checksum is wrong" in reason(parse(EXAMPLE).code.replace("BBYR", "BBYK"))


def test_swapped_and_lost_characters_are_noticed() -> None:
    code = parse(EXAMPLE).code
    for index in range(len(code) - 1):
        if code[index] != code[index + 1]:
            assert reason(code[:index] + code[index + 1] + code[index] + code[index + 2 :])
        assert reason(code[:index] + code[index + 1 :])


def test_a_newer_format_version() -> None:
    assert reason("azul:2:anything new:0000") == (
        "The code has format version 2; this program reads up to 1."
    )


@pytest.mark.parametrize("code", ["azul:1:", "azul:1:3/1", "azul:1:3/1/", "azul"])
def test_an_incomplete_code(code: str) -> None:
    assert reason(code) == "The code is incomplete."


def test_a_version_that_never_was() -> None:
    body = "azul:0:3/1"
    assert reason(f"{body}:{checksum(body)}") == "There is no code format 0."


def test_characters_that_no_code_has() -> None:
    assert reason("azul:1:3/1 BBYR:abcd") == 'A code cannot contain " ".'


def test_an_unknown_game() -> None:
    assert reason(wrap("chess", "1/1")) == 'There is no game "chess".'


@pytest.mark.parametrize("fields", ["", "3/1", "3/1/BBYR/1/-/-/-/-/0,,,"])
def test_too_few_fields(fields: str) -> None:
    assert reason(wrap("azul", fields)) == "The code lacks fields."


def test_what_a_code_says_is_checked_like_a_file() -> None:
    body = CODE.removeprefix("azul:1:").replace("3/1/BBYR", "x/3/BBYRW").replace("W8/-", "W7/-")
    with pytest.raises(PositionError) as caught:
        from_code(wrap("azul", body))
    assert [fault.field for fault in caught.value.faults] == ["round", "to_move", "factories[0]"]
    assert from_code(wrap("azul", CODE[7:].replace("K10", "K9")), check_counts=False)


def test_an_argument_is_a_code_by_its_start_and_else_a_path() -> None:
    with pytest.raises(PositionError, match="incomplete"):
        load("azul:12:")
    for path in ("azul:x:", "azul:", "azure:1:", "./azul:1:2"):
        with pytest.raises(PositionError, match="No such file"):
            load(path)
