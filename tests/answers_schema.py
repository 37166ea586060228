"""The XML schema that every answer fits."""

from __future__ import annotations

from functools import cache

from lxml import etree

from raybench.analysis.answers.schema import answers_schema as schema_text


@cache
def answers_schema() -> etree.XMLSchema:
    """The schema that is made from the types of answers."""
    return etree.XMLSchema(etree.fromstring(schema_text().encode()))
