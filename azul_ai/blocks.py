"""How building blocks, which only end up inside other functions, and entry points are compiled.

Numba makes every function ready to be run by itself: it optimizes it together with all that it
calls, and translates that to machine code. Nobody runs a building block by itself; so this is
done for entry points alone, and a third of the time of compiling is saved.

This uses numba's way to customize its compiler (a pipeline with a pass of one's own) and, below
that, its code libraries, which may change between versions; ``tests/test_jit.py`` would show it.
"""

from __future__ import annotations

from typing import Any, ClassVar

from numba import _dynfunc
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.typed_passes import NativeLowering


class BlockLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Code that waits to be linked into that of a caller, neither optimized nor translated."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


class EntryLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Code of an entry point and all blocks below it."""

    def _optimize_final_module(self) -> None:
        # The first time makes the blocks as small as they get, the second finds them worth
        # inlining: with one, searches are a quarter slower.
        super()._optimize_final_module()
        super()._optimize_final_module()


@register_pass(mutates_CFG=True, analysis_only=False)
class BlockLowering(NativeLowering):  # type: ignore[misc]
    """Lowering into a :class:`BlockLibrary`."""

    _name = "block_lowering"

    def run_pass(self, state: Any) -> bool:
        """Lower a function, and let others find its code by a stand-in for its entry point."""
        state.library = BlockLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        lowered = state["cr"]
        function = lowered.fndesc
        stand_in = _dynfunc.make_function(
            function.lookup_module(), function.qualname, "", 0, lowered.env, (state.library,)
        )
        state.targetctx.insert_user_function(stand_in, function, [state.library])
        state["cr"] = lowered._replace(cfunc=stand_in)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class EntryLowering(NativeLowering):  # type: ignore[misc]
    """Lowering into an :class:`EntryLibrary`."""

    _name = "entry_lowering"

    def run_pass(self, state: Any) -> bool:
        """Lower a function and make it ready to run."""
        state.library = EntryLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return bool(super().run_pass(state))


class _Compiler(CompilerBase):  # type: ignore[misc]
    """Numba's pipeline with another last step."""

    lowering: ClassVar[type[NativeLowering]]

    def define_pipelines(self) -> list[PassManager]:
        """The passes of nopython mode, lowering replaced."""
        usual = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline = PassManager(self.lowering._name)
        for step, description in usual.passes:
            pipeline.add_pass(self.lowering if step is NativeLowering else step, description)
        pipeline.finalize()
        return [pipeline]


class BlockCompiler(_Compiler):
    """For building blocks."""

    lowering = BlockLowering


class EntryCompiler(_Compiler):
    """For entry points."""

    lowering = EntryLowering
