"""Kinds of path: what tells them apart, and what does not."""

from __future__ import annotations

import pytest
from tests.core.study.scenes import brewster_scene, lens_scene, mirror_scene, prism_scene

from raybench.analysis.measures.bound import bind_measures, required_rows
from raybench.analysis.measures.kinds_of_path import (
    EVEN_SHARES,
    STRAIGHT,
    Kinds,
    KindsByKey,
    is_same_path,
    kinds_of_path,
)
from raybench.analysis.measures.light import Light
from raybench.files.shared import read_shared
from raybench.scene.changes import Change, Move, Rotate, apply_changes
from raybench.scene.document import Document
from raybench.trace.keep import RowsNotKept
from raybench.trace.trace import trace


def kinds(document: Document, measure: str, *changes: Change) -> Kinds:
    changed = apply_changes(changes, document)
    (bound,) = bind_measures(measure, changed)
    return kinds_of_path(bound, Light.from_document(changed, trace(changed)), {})


def test_a_path_is_its_objects_and_interactions() -> None:
    assert kinds(prism_scene(), "deviation(Prism)") == (("Prism: refract",),)
    turned = kinds(prism_scene(), "deviation(Prism)", Rotate("Prism", 20))
    assert turned == (("Prism: refract, tir, refract",),)
    assert kinds(lens_scene(), "rms(Screen)") == (("Lens: lens",),)
    assert kinds(lens_scene(), "rms(Screen)", Move("Lens", dy=400)) == ((STRAIGHT,),)
    assert kinds(lens_scene(), "rms(Screen) - width(Screen)") == (("Lens: lens",),) * 2


def test_other_faces_and_bodies_in_contact_are_the_same_path() -> None:
    there = kinds(prism_scene(), "deviation(Prism)")
    assert is_same_path(there, kinds(prism_scene(), "deviation(Prism)", Rotate("Prism", 120)))
    doublet = read_shared("example:achromat").document
    assert kinds(doublet, "focus(Flint, Blue)") == kinds(
        doublet, "focus(Flint, Blue)", Move("Flint", dx=1)
    )


def test_without_light_or_with_weak_light_there_is_no_path() -> None:
    assert kinds(mirror_scene(), "power(Screen)") == ((),)
    assert kinds(brewster_scene(), "reflected(Window)") == ((),)
    assert is_same_path(((),), (("Prism: refract",),))


def test_kept_rows_have_the_kinds_of_all_rows_once_these_are_known() -> None:
    document, known = read_shared("example:prism").document.with_more_rays(50), KindsByKey()
    for text in ("escaped()", "power(Screen)", "rms(Screen)"):
        (bound,) = bind_measures(text, document)
        light, kept = (
            Light.from_document(document, trace(document, keep=keep))
            for keep in (None, required_rows((bound,), document, paths=True))
        )
        assert kept.result.kept is not None
        with pytest.raises(RowsNotKept):
            kinds_of_path(bound, kept, {})
        found = kinds_of_path(bound, light, known)
        assert kinds_of_path(bound, kept, known) == found != ((),)
        assert len(light.result) > 10 * len(EVEN_SHARES)
        assert found == kinds(read_shared("example:prism").document, text)
