"""Any types and signatures, as Hypothesis makes them."""

from __future__ import annotations

from hypothesis import strategies as st

from raybench.schema.signature import (
    Field,
    ListOf,
    Primitive,
    Record,
    Signature,
    Type,
    optional,
)

NAMES = st.from_regex(r"\A[A-Za-z_][A-Za-z0-9_]{0,5}(-[a-z0-9])?\Z")
TYPES: st.SearchStrategy[Type] = st.recursive(
    st.sampled_from(["string", "int", "float", "bool", "keyword", "map", "any", "datetime"]).map(
        Primitive
    ),
    lambda inner: (
        inner.map(ListOf)
        | inner.map(optional)
        | st.lists(st.builds(Field, NAMES, inner), max_size=3, unique_by=lambda f: f.name).map(
            lambda f: Record(tuple(f))
        )
    ),
    max_leaves=8,
)
SIGNATURES = st.builds(
    Signature,
    st.lists(st.builds(Field, NAMES, TYPES), max_size=3, unique_by=lambda f: f.name).map(tuple),
    TYPES,
)
