"""Measuring where a search's time goes: primitives, engines, and comparison with a record."""
