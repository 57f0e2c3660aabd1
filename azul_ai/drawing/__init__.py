"""The parts of a drawn position: tiles, and the boards of each game, loaded on demand."""
