"""Searchers that know no game: kernels, no threads, no clock, no printing."""
