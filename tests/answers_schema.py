"""The XML schema that every answer fits."""

from __future__ import annotations

from functools import cache
from importlib import resources

from lxml import etree


@cache
def answers_schema() -> etree.XMLSchema:
    """The schema in `resources/raybench_resources/answers.xsd`."""
    return etree.XMLSchema(
        etree.fromstring(resources.files("raybench_resources").joinpath("answers.xsd").read_bytes())
    )
