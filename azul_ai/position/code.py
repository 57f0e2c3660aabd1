"""The frame of a one-line code: ``<game>:1:<fields>:<checksum>``.

The fields are each game's own business; here are the frame, its version and its checksum,
the CRC-16 (CCITT) of all that stands before the last colon, as four hexadecimal digits. It
notices every change within two neighboring characters.
"""

from __future__ import annotations

import binascii
import re
from typing import NoReturn

from azul_ai.position.faults import Fault, PositionError
from azul_ai.position.formats import NAMES
from azul_ai.suggest import did_you_mean

VERSION = 1

_START = re.compile(rf"\s*({'|'.join(map(re.escape, NAMES))}):[0-9]+:")
_FRAME = re.compile(r"([^:]*):([0-9]{1,9}):(.*):([^:]*)")
_STRANGE = re.compile(r"[^A-Za-z0-9.,:/_-]")


def is_code(text: str) -> bool:
    """Whether a text starts as a code does: a game id, a colon, digits, a colon."""
    return _START.match(text) is not None


def wrap(game: str, fields: str) -> str:
    """The code of a game's fields."""
    body = f"{game}:{VERSION}:{fields}"
    return f"{body}:{checksum(body)}"


def unwrap(text: str) -> tuple[str, str]:
    """The game and the fields of a code.

    :raises PositionError: it is damaged, of a newer format, or of an unknown game.
    """
    text = text.strip()
    frame = _FRAME.fullmatch(text)
    if frame is None:
        _fail("The code is incomplete.", "Copy all of it: <game>:1:<fields>:<checksum>.")
    game, version, fields, check = frame.groups()
    if int(version) > VERSION:
        _fail(
            f"The code has format version {version}; this program reads up to {VERSION}.",
            "Use a newer azul-ai.",
        )
    strange = _STRANGE.search(text)
    if strange:
        _fail(f'A code cannot contain "{strange[0]}".', "Copy the code again.")
    if check != checksum(text[: frame.start(4) - 1]):
        _fail("The code's checksum is wrong: a character changed or is missing.", "Copy it again.")
    if game not in NAMES:
        _fail(f'There is no game "{game}".', did_you_mean(game, NAMES))
    if int(version) != VERSION:
        _fail(f"There is no code format {version}.", "Copy the code again.")
    return game, fields


def checksum(body: str) -> str:
    """Four hexadecimal digits."""
    return f"{binascii.crc_hqx(body.encode(), 0):04x}"


def _fail(reason: str, hint: str) -> NoReturn:
    raise PositionError([Fault("", reason, hint)])
