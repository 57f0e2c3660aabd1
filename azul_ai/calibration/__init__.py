"""How far a search's values may lie from those of a much longer search."""

from azul_ai.calibration.errors import RESOLUTION, TERMS, Errors, fingerprint, load, terms
from azul_ai.calibration.subject import COLUMNS, Subject, subject

__all__ = [
    "COLUMNS",
    "RESOLUTION",
    "TERMS",
    "Errors",
    "Subject",
    "fingerprint",
    "load",
    "subject",
    "terms",
]
