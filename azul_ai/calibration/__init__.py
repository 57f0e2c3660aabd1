"""How far a search's values may lie from those of a much longer search."""

from azul_ai.calibration.errors import TERMS, Errors, Subject, fingerprint, load, terms

__all__ = ["TERMS", "Errors", "Subject", "fingerprint", "load", "terms"]
