"""Matches between bots: which is stronger, by how much, and whether that is established."""
