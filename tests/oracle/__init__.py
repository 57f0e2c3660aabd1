"""Slow, obvious oracles for the three games, independent of the package under test.

Each game is a module with the same functions: ``from_dict``, ``to_dict``, ``new_state``,
``legal_moves``, ``play``, ``deal``, ``deal_random``, ``final_points``, ``standings``,
``ranking``, ``win_shares``, ``key``. A state is never changed by them: what changes a state
returns a new one. Moves are text as people write it.
"""
