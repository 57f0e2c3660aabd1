"""Why one move is better than another: what two lines of play come to by the end of the round."""

from azul_ai.explain.explanation import Explanation, Line, Reason, columns, explain, is_available
from azul_ai.explain.lines import kernels

__all__ = ["Explanation", "Line", "Reason", "columns", "explain", "is_available", "kernels"]
