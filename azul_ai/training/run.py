"""A training run: generations of self-play, fitting, and a gate, kept in a directory.

::

    plan.json              what the run does, written once
    network.npz            the network of the last generation that was accepted
    generation-01/
        games-00000.npz …  samples of self-play, a chunk each
        candidate.npz      the network fitted to them
        gate.jsonl         the games of the candidate against what played before it
        report.json        what came of it; when this is there, the generation is done

Everything is written whole or not at all, and each step begins where the files say it is, so a
run that was stopped at any moment goes on when it is called again.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from azul_ai import evaluation
from azul_ai.files import write_whole
from azul_ai.training.selfplay import Job
from azul_ai.version import __version__

PLAN, NETWORK, CANDIDATE, GATE, REPORT = (
    "plan.json",
    "network.npz",
    "candidate.npz",
    "gate.jsonl",
    "report.json",
)
CHUNK_GAMES = 200
"""Games of a chunk: some tens of seconds of work, about 100 kB."""


class RunError(ValueError):
    """A directory that holds no training run, or another one."""


@dataclass(frozen=True)
class Plan:
    """What a run does.

    ``games``: of self-play in each generation, with ``iterations`` of ISMCTS a move;
    ``window``: so many generations' samples are learned from, older ones are removed;
    ``gate_games``: at most so many decide whether a generation is accepted, ``gate_iterations``
    of ISMCTS a move; ``side``: of the boards, where the game has two; None: both in turn.
    """

    game: str
    players: int
    side: str | None
    seed: int
    generations: int
    games: int
    iterations: int
    window: int
    epochs: int
    searched: float
    gate_games: int
    gate_iterations: int
    gate_elo: float

    @property
    def command(self) -> str:
        """What to type for another run like it, without where it is kept."""
        given = {name: value for name, value in vars(self).items() if value is not None}
        options = (f"--{name.replace('_', '-')} {value}" for name, value in given.items())
        return " ".join(["azul-ai train", *options])


@dataclass(frozen=True)
class Generation:
    """One generation of a run, from 1."""

    run: Run
    number: int

    @property
    def directory(self) -> Path:
        """Where its files are."""
        return self.run.directory / f"generation-{self.number:02d}"

    @property
    def is_done(self) -> bool:
        """Whether it has come to its end."""
        return (self.directory / REPORT).exists()

    @property
    def report(self) -> dict[str, Any]:
        """What came of it."""
        document: dict[str, Any] = json.loads((self.directory / REPORT).read_text("utf-8"))
        return document

    def chunk(self, index: int) -> Path:
        """The file of a chunk of samples."""
        return self.directory / f"games-{index:05d}.npz"

    @property
    def chunks(self) -> list[Path]:
        """The chunks that are there, in order."""
        return sorted(self.directory.glob("games-*.npz"))

    def jobs(self, settings: dict[str, Any]) -> list[tuple[Path, Job]]:
        """The chunks that are still to be played, and how."""
        plan = self.run.plan
        found = []
        for index, first in enumerate(range(0, plan.games, CHUNK_GAMES)):
            path = self.chunk(index)
            if not path.exists():
                number = min(CHUNK_GAMES, plan.games - first)
                seed = plan.seed * 1000 + self.number
                job = Job(
                    plan.game,
                    plan.players,
                    plan.side,
                    seed,
                    first,
                    number,
                    plan.iterations,
                    settings,
                )
                found.append((path, job))
        return found

    def begin(self) -> None:
        """Make its directory, and remove samples that are not learned from any more."""
        self.directory.mkdir(exist_ok=True)
        for old in self.run.generations()[: max(0, self.number - self.run.plan.window)]:
            for path in old.chunks:
                path.unlink()

    def finish(self, report: dict[str, Any]) -> None:
        """Write what came of it; an accepted network becomes the run's."""
        if report["accepted"]:
            write_whole(self.run.directory / NETWORK, (self.directory / CANDIDATE).read_bytes())
        text = json.dumps(report, indent=1) + "\n"
        write_whole(self.directory / REPORT, text.encode())


@dataclass(frozen=True)
class Run:
    """A run in a directory."""

    directory: Path
    plan: Plan

    def generations(self) -> list[Generation]:
        """All generations of the plan."""
        return [Generation(self, number + 1) for number in range(self.plan.generations)]

    @property
    def reference(self) -> dict[str, Any]:
        """The settings of who plays now: with the network accepted last, or none at first."""
        network = self.directory / NETWORK
        if network.exists():
            return {"evaluation": str(network.resolve())}
        return {"evaluation": evaluation.HANDMADE}


def wanted(plan: Plan) -> dict[str, Any]:
    """What a file of weights of a run says of itself."""
    features = evaluation.network_module(plan.game).FEATURES
    return {"game": plan.game, "players": plan.players, "features": features}


def create(directory: Path, plan: Plan) -> Run:
    """Begin a run.

    :raises RunError: there is one already, or the directory is in use for something else.
    """
    if directory.exists() and any(directory.iterdir()):
        hint = "go on with --resume" if (directory / PLAN).exists() else "give another directory"
        raise RunError(f"{directory} is not empty; {hint}")
    directory.mkdir(parents=True, exist_ok=True)
    document = {"version": __version__, **asdict(plan)}
    write_whole(directory / PLAN, (json.dumps(document, indent=1) + "\n").encode())
    return Run(directory, plan)


def resume(directory: Path) -> Run:
    """Go on with a run.

    :raises RunError: there is none, or it is of another version.
    """
    try:
        document = json.loads((directory / PLAN).read_text("utf-8"))
        version = document.pop("version")
        plan = Plan(**document)
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise RunError(f"{directory} holds no training run: {error}") from None
    if version != __version__:
        raise RunError(f"{directory} is a run of version {version}, this is {__version__}")
    return Run(directory, plan)
