"""Any types and signatures, as Hypothesis makes them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from raybench.schema.signature import Signature, parse_signature

NAMES = st.from_regex(r"\A[A-Za-z_][A-Za-z0-9_]{0,5}(-[a-z0-9])?\Z")


def fields_of(types: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    fields = st.dictionaries(NAMES, types, max_size=3)
    return fields.map(lambda f: ", ".join(f"{name} {type}" for name, type in f.items()))


TYPE_TEXTS: st.SearchStrategy[str] = st.recursive(
    st.sampled_from(["string", "int", "float", "bool", "keyword", "map", "any", "datetime"]).map(
        ":{}".format
    ),
    lambda inner: (
        inner.map("[{}]".format)
        | inner.map(lambda text: f"{text.removesuffix('?')}?")
        | fields_of(inner).map("{{{}}}".format)
    ),
    max_leaves=8,
)
TYPES: st.SearchStrategy[Any] = TYPE_TEXTS.map(lambda text: parse_signature(text).returns)
SIGNATURE_TEXTS = st.builds("({}) -> {}".format, fields_of(TYPE_TEXTS), TYPE_TEXTS)
SIGNATURES: st.SearchStrategy[Signature] = SIGNATURE_TEXTS.map(parse_signature)
