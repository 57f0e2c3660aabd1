"""Learning an evaluation from games that the engine plays against itself."""
