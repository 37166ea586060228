"""Formulas: parsing to a syntax tree, evaluation, exact derivatives, and compilation to programs
that kernels run.

`parse_latex` parses the formulas of equation fields, `parse_mathjs` and `parse_statements` those of
modules. Importing this package is cheap: the grammars are built when the first formula is parsed.
"""

from raybench.formula.derivative import derivative
from raybench.formula.evaluate import (
    Scope,
    StepAllowance,
    evaluate_columns,
    evaluate_formula,
    execute_statements,
    inline_names_and_calls,
)
from raybench.formula.interpreter import PackedPrograms
from raybench.formula.latex import parse_latex, to_latex
from raybench.formula.mathjs import parse_mathjs, parse_statements, split_range
from raybench.formula.program import Program, compile_program, pack_programs
from raybench.formula.reading import FormulaError
from raybench.formula.tree import Node, number_node, variable_node

__all__ = [
    "FormulaError",
    "Node",
    "PackedPrograms",
    "Program",
    "Scope",
    "StepAllowance",
    "compile_program",
    "derivative",
    "evaluate_columns",
    "evaluate_formula",
    "execute_statements",
    "inline_names_and_calls",
    "number_node",
    "pack_programs",
    "parse_latex",
    "parse_mathjs",
    "parse_statements",
    "split_range",
    "to_latex",
    "variable_node",
]
