"""Completed parameters and measures mean what they name, whatever its name is."""

from __future__ import annotations

import pytest
from tests.core.study.scenes import lens_scene

from raybench.analysis.measures.bound import BoundMeasure, bind_measures
from raybench.scene.changes import Set, apply_changes
from raybench.scene.parameters.numbers import parameter_names
from raybench.scene.parameters.parameter import read_parameter
from raybench.study.terms.parameter import measure_names


@pytest.mark.parametrize(
    "name", ["Wall", "A, B", '5" wall', "it's", "(x)", "'q'", '"q"', "settings", "a.b", "x=y"]
)
def test_completed_texts_are_read_as_the_object_of_the_name(name: str) -> None:
    document = apply_changes(Set("Screen", {"name": name}), lens_scene())
    screen = document.scene.objects[2]
    targets = [read_parameter(text, document).target for text in parameter_names(document)]
    assert targets.count(screen.key) >= 7
    arguments = [
        m.arguments
        for text in measure_names(document)
        for m in bind_measures(text, document)
        if isinstance(m, BoundMeasure)
    ]
    assert sum(given[:1] == (screen.key,) for given in arguments) > 10
