"""What a sequential test decides between, and when it stops.

Source: Wald, "Sequential Tests of Statistical Hypotheses" (1945).
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Hypotheses:
    """What is tested: H0, the difference is ``elo0``, against H1, it is ``elo1``.

    :param alpha: probability of accepting H1 where H0 is true, 0 < alpha < 1/2.
    :param beta: probability of accepting H0 where H1 is true, 0 < beta < 1/2.
    """

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo0 must be below elo1, not {self.elo0:g} and {self.elo1:g}")
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:
                raise ValueError(f"{name} must lie between 0 and 0.5, not {value:g}")

    @property
    def lower(self) -> float:
        """H0 is accepted where the log likelihood ratio falls to this."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """H1 is accepted where the log likelihood ratio rises to this."""
        return math.log((1 - self.beta) / self.alpha)
