"""The register machine of formulas, compiled once for all kernels."""

from __future__ import annotations

from raybench.formula.interpreter import interpreter
from raybench.trace.compilation.jit import rare

machine = interpreter(rare)
operate, run, run_packed = machine.operate, machine.run, machine.run_packed
