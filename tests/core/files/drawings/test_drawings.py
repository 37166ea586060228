"""Drawings as objects: their shapes to the tolerance, their size, and hostile files, which are
refused soon.
"""

from __future__ import annotations

import io
import math
import time

import pytest

pytest.importorskip("ezdxf")
pytest.importorskip("svgelements")

import contextlib
import itertools

import ezdxf
from hypothesis import example, given, settings
from hypothesis import strategies as st

from raybench.files.drawings.contour import (
    ArcSegment,
    CubicSegment,
    DrawingError,
    box_of_outline,
    flatten_segment,
)
from raybench.files.drawings.conversion import convert_drawing, guess_layer_kind, read_drawing
from raybench.files.drawings.dxf import read_dxf
from raybench.files.drawings.svg import read_svg
from raybench.files.drawings.svg_viewports import MM_PER_PIXEL
from raybench.kinds.aspects.outlines import is_closed, signed_area
from raybench.kinds.outline import object_edges
from raybench.shapes.point import Point
from raybench.shapes.shape import Arc

LENS = "M 0 0 A 50 50 0 0 1 0 40 L -5 40 A 50 50 0 0 1 -5 0 Z"
COORDINATE = st.floats(-100, 100)
POINT = st.builds(Point, COORDINATE, COORDINATE)


def svg(body, size='width="200mm" height="100mm" viewBox="0 0 200 100"'):
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
        f" {size}>{body}</svg>".encode()
    )


def opened(tmp_path, content, name="drawing.svg"):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_drawing(path)


def dxf(tmp_path, draw, units=4):
    drawing = ezdxf.new()
    drawing.header["$INSUNITS"] = units
    draw(drawing.modelspace(), drawing)
    text = io.StringIO()
    drawing.write(text)
    return opened(tmp_path, text.getvalue(), "drawing.dxf")


def test_outlines_in_others_are_reported_as_glasses_whose_indices_multiply(tmp_path):
    hole = '<path d="M 0 0 H 40 V 40 H 0 Z M 10 10 V 20 H 20 V 10 Z"/>'
    apart = '<circle cx="80" cy="20" r="10"/><rect x="90" y="60" width="9" height="9"/>'
    assert convert_drawing(opened(tmp_path, svg(apart)), "glass").notes == ()
    (note,) = convert_drawing(opened(tmp_path, svg(hole + apart)), "glass").notes
    assert (
        note
        == "1 outline lies in others: where glasses overlap, their refractive indices multiply."
        " Give a hole the index 1/n."
    )
    (note,) = convert_drawing(
        opened(tmp_path, svg(hole + apart + '<circle cx="80" cy="20" r="5"/>')), "glass"
    ).notes
    assert note.startswith("2 outlines lie in others")
    assert convert_drawing(opened(tmp_path, svg(hole)), "mirror").notes == ()


def test_very_many_outlines_are_imported_uncompared(tmp_path):
    circles = "".join(f'<circle cx="80" cy="20" r="{r}"/>' for r in range(1, 1_500))
    found = convert_drawing(opened(tmp_path, svg(circles)), "glass")
    assert (len(found.objects), found.notes) == (1_499, ())


def test_a_lens_of_arcs_stays_a_glass_of_arcs_in_millimetres(tmp_path):
    (glass,) = convert_drawing(opened(tmp_path, svg(f'<path d="{LENS}"/>')), "glass").objects
    assert [v.arc for v in glass.path] == [False, True, False, False, True, False]
    arcs = [e.shape for e in object_edges(glass) if isinstance(e.shape, Arc)]
    assert [a.radius for a in arcs] == pytest.approx([50, 50], rel=1e-9)
    assert max(v.y for v in glass.path) - min(v.y for v in glass.path) == pytest.approx(
        40, rel=1e-9
    )


def test_circles_ellipses_and_curves_of_svg(tmp_path):
    body = (
        '<circle cx="50" cy="50" r="20"/><ellipse cx="120" cy="50" rx="30" ry="10"/><rect x="1"'
        ' y="1" width="9" height="5"/>'
    )
    circle, ellipse, rect = convert_drawing(opened(tmp_path, svg(body)), "glass").objects
    assert (circle.type, ellipse.type, rect.type) == ("CircleGlass", "CurveGlass", "Glass")
    assert math.dist(circle.p1, circle.p2) == pytest.approx(20)
    assert abs(signed_area(object_edges(ellipse))) == pytest.approx(math.pi * 300, rel=1e-3)
    assert abs(signed_area(object_edges(rect))) == pytest.approx(45)


def test_mirrors_blockers_and_drawings(tmp_path):
    drawing = opened(
        tmp_path,
        svg(
            f'<path d="{LENS}"/><path d="M 0 60 C 20 60 20 80 40 80"/><line x1="0" y1="90" x2="50"'
            ' y2="90"/>'
        ),
    )
    mirrors = convert_drawing(drawing, "mirror").objects
    assert sorted(o.type for o in mirrors) == [
        "ArcMirror",
        "ArcMirror",
        "CurveMirror",
        "Mirror",
        "Mirror",
        "Mirror",
    ]
    blockers = convert_drawing(drawing, "blocker", tolerance=0.01).objects
    assert {o.type for o in blockers} == {"Blocker"}
    assert len(blockers) > len(convert_drawing(drawing, "blocker", tolerance=0.5).objects)
    (note,) = convert_drawing(drawing, "drawing").objects
    assert len(note.strokes) == 3
    assert "2 open paths cannot become glass" in convert_drawing(drawing, "glass").notes[0]


def test_scale_unit_and_place(tmp_path):
    drawing = opened(tmp_path, svg('<circle cx="50" cy="50" r="20"/>'))
    (big,) = convert_drawing(drawing, "glass", scale=2.5, centre=Point(7, 8)).objects
    assert big.p1 == pytest.approx((7, 8))
    assert math.dist(big.p1, big.p2) == pytest.approx(50)
    (small,) = convert_drawing(drawing, "glass", unit="cm").objects
    assert math.dist(small.p1, small.p2) == pytest.approx(2)
    (pixels,) = convert_drawing(
        opened(tmp_path, svg('<circle cx="50" cy="50" r="96"/>', "")), "glass"
    ).objects
    assert (
        math.dist(pixels.p1, pixels.p2) == pytest.approx(96 * MM_PER_PIXEL) == pytest.approx(25.4)
    )


def test_transforms_and_repeated_parts_of_svg(tmp_path):
    body = '<defs><circle id="c" r="5"/></defs><use href="#c" x="30" y="40"/>'
    body += '<g transform="translate(10 0) scale(2)"><use xlink:href="#c" x="5"/></g>'
    first, second = convert_drawing(opened(tmp_path, svg(body)), "glass").objects
    assert first.p1 == pytest.approx((30, 40))
    assert second.p1 == pytest.approx((20, 0))
    assert math.dist(second.p1, second.p2) == pytest.approx(10)


def test_loose_lines_and_arcs_of_dxf_are_joined_to_a_glass_that_is_the_right_way_up(tmp_path):
    def draw(space, _):
        space.add_line((0, 0), (40, 0))
        space.add_line((40, 20), (40, 0))
        space.add_arc((20, 20), 20, 0, 180)
        space.add_line((0, 0), (0, 20))

    (glass,) = convert_drawing(dxf(tmp_path, draw), "glass").objects
    assert glass.type == "Glass"
    assert is_closed(object_edges(glass))
    assert abs(signed_area(object_edges(glass))) == pytest.approx(800 + 200 * math.pi, rel=1e-9)
    top = next(v for v in glass.path if v.arc)
    assert (top.x, top.y) == pytest.approx((20, -40))  # y is down


def test_a_clockwise_arc_of_more_than_half_a_turn_stays_one_in_a_dxf_polyline(tmp_path):
    drawing = dxf(
        tmp_path,
        lambda space, _: space.add_lwpolyline(
            [(0, 0, 0), (0, 10, 0), (10, 10, -2), (10, 0, 0)], format="xyb", close=True
        ),
    )
    (body,) = convert_drawing(drawing, "glass").objects
    turn, radius = 4 * math.atan(2), 6.25
    assert abs(signed_area(object_edges(body))) == pytest.approx(
        100 + radius**2 / 2 * (turn - math.sin(turn)), rel=1e-9
    )


def test_polylines_with_bulges_circles_blocks_and_units_of_dxf(tmp_path):
    def draw(space, drawing):
        space.add_lwpolyline(
            [(0, 0, 0), (10, 0, 1), (10, 6, 0), (0, 6, 0)], format="xyb", close=True
        )
        block = drawing.blocks.new("HOLE")
        block.add_circle((0, 0), 2)
        space.add_blockref("HOLE", (30, 5))
        space.add_blockref("HOLE", (40, 5), dxfattribs={"xscale": 2, "yscale": 2})
        space.add_text("note")

    drawing = dxf(tmp_path, draw, units=1)
    objects = convert_drawing(drawing, "glass").objects
    body = next(o for o in objects if o.type == "Glass")
    assert abs(signed_area(object_edges(body))) == pytest.approx(
        (60 + math.pi * 9 / 2) * 25.4**2, rel=1e-9
    )
    holes = sorted(math.dist(o.p1, o.p2) for o in objects if o.type == "CircleGlass")
    assert holes == pytest.approx([2 * 25.4, 4 * 25.4])
    assert any("TEXT" in note for note in drawing.notes)


def test_repairs_of_a_damaged_dxf_fill_no_terminal(caplog, capfd):
    text = "0 SECTION 2 ENTITIES 0 CIRCLE 8 0 10 1e 20 2 40 1_0 0 ENDSEC 0 EOF".replace(" ", "\n")
    outlines, _ = read_dxf(text.encode())
    assert len(outlines) == 1
    assert caplog.text == ""
    assert capfd.readouterr() == ("", "")


def test_splines_and_ellipses_of_dxf(tmp_path):
    def draw(space, _):
        space.add_ellipse((0, 0), (30, 0), 0.5)
        space.add_spline([(0, 40), (10, 50), (20, 40), (30, 50)])

    drawing = dxf(tmp_path, draw)
    (glass,) = convert_drawing(drawing, "glass").objects
    assert abs(signed_area(object_edges(glass))) == pytest.approx(math.pi * 450, rel=1e-3)
    assert "CurveMirror" in {o.type for o in convert_drawing(drawing, "mirror").objects}


@settings(max_examples=100, deadline=None)
@given(POINT, POINT, POINT, POINT, st.sampled_from([0.5, 0.05]))
def test_flattened_curves_stay_within_the_tolerance(a, b, c, d, tolerance):
    curve = CubicSegment(a, b, c, d)
    points = [a, *flatten_segment(curve, tolerance)]
    for k in range(0, 101, 7):
        t = k / 100
        u = 1 - t
        at = Point(
            *(
                u**3 * p + 3 * u * u * t * q + 3 * u * t * t * r + t**3 * s
                for p, q, r, s in zip(a, b, c, d, strict=True)
            )
        )
        assert min(_distance(at, p, q) for p, q in itertools.pairwise(points)) <= 1.01 * tolerance


@pytest.mark.security
def test_a_number_of_endless_digits_is_refused_at_once():
    begun = time.thread_time()
    with pytest.raises(DrawingError, match="more than 60 digits"):
        read_svg(svg(f'<polygon points="0,0 {"9" * 3000}!,0 9,9"/>'))
    assert time.thread_time() - begun < 2


@settings(max_examples=60, deadline=None)
@given(POINT, st.floats(1, 80), st.floats(0, 6.28), st.floats(0.1, 6.1), st.booleans())
def test_flattened_arcs_stay_within_the_tolerance(centre, radius, start, sweep, back):
    sweep = -sweep if back else sweep
    ends = [
        Point(
            centre.x + radius * math.cos(start + sweep * u),
            centre.y + radius * math.sin(start + sweep * u),
        )
        for u in (0, 0.5, 1)
    ]
    arc = ArcSegment(*ends)
    points = [ends[0], *flatten_segment(arc, 0.05)]
    for p, q in itertools.pairwise(points):
        assert radius - math.dist(((p.x + q.x) / 2, (p.y + q.y) / 2), centre) <= 0.051


def _distance(at, a, b):
    length = math.dist(a, b)
    if length**2 == 0:
        return math.dist(at, a)
    t = min(1, max(0, ((at.x - a.x) * (b.x - a.x) + (at.y - a.y) * (b.y - a.y)) / length**2))
    return math.dist(at, (a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)))


USES = "".join(f'<g id="u{i + 1}">' + f'<use href="#u{i}"/>' * 10 + "</g>" for i in range(9))
HOSTILE = {
    "entities": (
        b'<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b'
        b' "&a;&a;&a;&a;">]><svg>&b;</svg>'
    ),
    "an external entity": (
        b'<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a SYSTEM'
        b' "file:///etc/passwd">]><svg><text>&a;</text></svg>'
    ),
    "uses of uses": svg(f'<defs><circle id="u0" r="1"/>{USES}</defs><use href="#u9"/>'),
    "a use of itself": svg('<g id="a"><use href="#a"/></g>'),
    "deep nesting": svg("<g>" * 5000 + "</g>" * 5000),
    "too many segments": svg('<path d="M 0 0' + " l 1 1" * 60_000 + '"/>'),
    "another kind of file": b"%PDF-1.4",
    "html": b"<html><body/></html>",
    "utf-32": svg("<circle r='3'/>").decode().encode("utf-32"),
    "entities in utf-16": '<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>'.encode("utf-16"),
    "nothing": svg("<text>words</text>"),
    "too large a number": svg('<circle cx="1e300" cy="0" r="3"/>'),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.security
def test_a_hostile_svg_is_refused_soon(tmp_path, name):
    start = time.process_time()
    with pytest.raises(DrawingError) as caught:
        convert_drawing(opened(tmp_path, HOSTILE[name]), "glass")
    assert time.process_time() - start < 10
    assert "\n" not in str(caught.value)
    assert "root:" not in str(caught.value)


@pytest.mark.parametrize(
    "reference", ['href="u{}"', 'href="?u{}"', 'xlink:href="#c" href="#u{}"', 'href=" #u{}"']
)
@pytest.mark.security
def test_uses_of_uses_are_counted_however_they_refer(tmp_path, reference):
    groups = "".join(
        f'<g id="u{i + 1}">' + f"<use {reference.format(i)}/>" * 10 + "</g>" for i in range(6)
    )
    drawing = svg(
        f'<circle id="c" r="2"/><defs><circle id="u0" r="1"/>{groups}</defs><use'
        f" {reference.format(6)}/>"
    )
    start = time.process_time()
    if "#u" in reference:
        with pytest.raises(DrawingError, match="more than 100,000 elements"):
            opened(tmp_path, drawing)
    else:  # that is no reference into the drawing
        assert len(opened(tmp_path, drawing).outlines) == 1
    assert time.process_time() - start < 5


def test_an_empty_reference_refers_to_nothing(tmp_path):
    style = "<style>*{transform:translate(0)}</style>"
    start = time.process_time()
    body = (
        f'{style}<symbol id="b" viewBox="0 0 9 9"><use href="#" id=""/></symbol><g id=""><use'
        ' href="#"/></g><circle r="3"/>'
    )
    assert len(opened(tmp_path, svg(body)).outlines) == 1
    assert time.process_time() - start < 5


def test_a_long_clip_path_that_is_used_often_is_not_read_often(tmp_path):
    clip = '<clipPath id="c"><path d="M 0 0' + " l 1 1" * 9_000 + '"/></clipPath>'
    start = time.process_time()
    drawing = opened(
        tmp_path,
        svg(
            clip
            + "".join(f'<rect width="{i + 1}" height="3" clip-path="url(#c)"/>' for i in range(300))
        ),
    )
    assert time.process_time() - start < 10
    assert len(drawing.outlines) == 300
    assert drawing.notes == ("What is clipped by other than one simple closed path comes whole.",)


CIRCLES = '<circle r="3" stroke="red"/>' * 2_000
MOVES = "translate(1) " * 20_000
INHERITED = {
    "a transform of a style sheet": f"<style>*{{transform:{MOVES}}}</style>{CIRCLES}",
    "declarations of a style sheet": f"<style>circle{{{'fill:red;' * 40_000}}}</style>{CIRCLES}",
    "a class, often": f'<style>.a{{{"fill:red;" * 500}}}</style><g class="{"a " * 50_000}"/>',
    "a transform of a group": f'<g transform="{MOVES}">{CIRCLES}</g>',
    "nested transforms": '<g transform="translate(1)">' * 150 + CIRCLES * 5 + "</g>" * 150,
}


@pytest.mark.parametrize("name", INHERITED)
@pytest.mark.security
def test_what_applies_to_many_elements_counts_for_each(tmp_path, name):
    start = time.process_time()
    with pytest.raises(
        DrawingError, match="more than 100,000 elements, or as much in styles and transforms"
    ):
        opened(tmp_path, svg(INHERITED[name]))
    assert time.process_time() - start < 5


def test_many_elements_with_a_class_in_nested_layers_are_read(tmp_path):
    style = "<style>.cls-1{fill:none;stroke:#000;stroke-miterlimit:10;stroke-width:0.25px}</style>"
    circles = "".join(f'<circle r="3" cx="{i}" class="cls-1"/>' for i in range(10_000))
    layers = '<g transform="translate(10 0)">' * 6 + circles + "</g>" * 6
    assert len(opened(tmp_path, svg(style + layers)).outlines) == 10_000


STYLES = {
    "no rules": "<style>" + ".a " * 100_000 + "</style>",
    "a name": "<style>" + "a" * 300_000 + "</style>",
    "comments": "<style>" + "/*" * 300_000 + "</style>",
    "braces": "<style>" + "{" * 300_000 + "</style>",
    "one selector": "<style>" + "circle," * 100_000 + "circle{fill:red}</style>",
}


@pytest.mark.parametrize("name", STYLES)
@pytest.mark.security
def test_a_style_sheet_without_rules_holds_nothing_up(tmp_path, name):
    start = time.process_time()
    assert len(opened(tmp_path, svg(STYLES[name] + '<circle r="3" stroke="red"/>')).outlines) == 1
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    "body",
    [
        '<path stroke="red" d="M0 0' + "Z" * 900_000 + '"/>',
        "<style>" + "a{fill:red}" * 2_001 + "</style>",
    ],
)
@pytest.mark.security
def test_too_much_of_a_path_or_of_a_style_sheet_is_refused_soon(tmp_path, body):
    start = time.process_time()
    with pytest.raises(DrawingError, match="the SVG has more than"):
        opened(tmp_path, svg(body))
    assert time.process_time() - start < 5


def test_a_style_sheet_tells_what_is_painted(tmp_path):
    sheet = "<style>/* .a{fill:red} */ .b, circle /* all */ { stroke: red } .c{fill:none}</style>"
    body = (
        f'{sheet}<circle class="c" r="3"/><rect class="a c" width="4" height="4"/><rect class="b c"'
        ' width="2" height="2"/>'
    )
    assert len(opened(tmp_path, svg(body)).outlines) == 2


@pytest.mark.security
def test_a_hostile_dxf_is_refused_soon(tmp_path):
    def bomb(space, drawing):
        drawing.blocks.new("B0").add_circle((0, 0), 1)
        for i in range(9):
            block = drawing.blocks.new(f"B{i + 1}")
            for _ in range(10):
                block.add_blockref(f"B{i}", (0, 0))
        space.add_blockref("B9", (0, 0))

    def itself(space, drawing):
        drawing.blocks.new("A").add_blockref("A", (0, 0))
        space.add_blockref("A", (0, 0))

    def array(space, drawing):
        drawing.blocks.new("A").add_circle((0, 0), 1)
        space.add_blockref(
            "A",
            (0, 0),
            dxfattribs={
                "row_count": 30_000,
                "column_count": 30_000,
                "row_spacing": 1,
                "column_spacing": 1,
            },
        )

    def array_of_nothing(space, drawing):
        drawing.blocks.new("A")
        space.add_blockref(
            "A",
            (0, 0),
            dxfattribs={
                "row_count": 30_000,
                "column_count": 30,
                "row_spacing": 1,
                "column_spacing": 1,
            },
        )

    start = time.process_time()
    for draw, why in (
        (bomb, "more than"),
        (itself, "inserts itself"),
        (array, "more than"),
        (array_of_nothing, "more than"),
    ):
        with pytest.raises(DrawingError, match=why):
            dxf(tmp_path, draw)
    for content in (b"", b"0\nSECTION\n", b"\x00" * 1000, b"not a drawing at all\n" * 100):
        with pytest.raises(DrawingError):
            opened(tmp_path, content, "drawing.dxf")
    assert time.process_time() - start < 20


def test_a_file_that_is_too_large_or_of_another_kind_is_refused(tmp_path):
    with pytest.raises(DrawingError, match="larger than 20,000,000 bytes"):
        opened(tmp_path, b" " * 20_000_001)
    with pytest.raises(DrawingError, match=r"an \.svg or a \.dxf"):
        opened(tmp_path, b"", "drawing.png")


@settings(max_examples=60, deadline=None)
@given(st.data())
@pytest.mark.security
def test_a_damaged_drawing_is_read_or_refused(data):
    whole = svg(f'<path d="{LENS}"/><circle r="4"/><use href="#a"/>')
    i = data.draw(st.integers(0, len(whole)))
    broken = (
        whole[:i] + data.draw(st.binary(max_size=4)) + whole[i + data.draw(st.integers(0, 9)) :]
    )
    with contextlib.suppress(DrawingError):
        read_svg(broken)


def _small_dxf():
    drawing = ezdxf.new()
    drawing.modelspace().add_circle((0, 0), 4)
    drawing.modelspace().add_lwpolyline([(0, 0), (9, 0), (9, 9)], close=True)
    text = io.StringIO()
    drawing.write(text)
    return text.getvalue().encode()


SMALL = _small_dxf()
FROM_END = len(SMALL) - SMALL.index(b"ENTITIES")


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 4000), st.binary(max_size=4), st.integers(0, 9))
@example(2125, b"\xbf", 2)
def test_a_damaged_dxf_is_read_or_refused(place, more, less):
    i = len(SMALL) - FROM_END + place % FROM_END
    with contextlib.suppress(DrawingError):
        read_dxf(SMALL[:i] + more + SMALL[i + less :])


@pytest.mark.parametrize(
    "transform", ["matrix(1 .5 .5 1 50 50)", "skewX(30)", "translate(50 50) scale(2 1)"]
)
@pytest.mark.parametrize(
    "shape",
    [
        '<circle r="10"/>',
        '<path d="M -10 0 A 10 10 0 0 0 10 0 A 10 10 0 0 0 -10 0 Z"/>',
        '<rect width="9" height="9" rx="2"/>',
    ],
)
def test_a_circle_that_is_skewed_or_stretched_is_no_circle(tmp_path, shape, transform):
    (plain,) = convert_drawing(opened(tmp_path, svg(shape)), "glass").objects
    (glass,) = convert_drawing(
        opened(tmp_path, svg(f'<g transform="{transform}">{shape}</g>')), "glass"
    ).objects
    assert glass.type == "CurveGlass"
    factor = {"m": 0.75, "s": 1.0, "t": 2.0}[transform[0]]
    area = (
        math.pi * math.dist(plain.p1, plain.p2) ** 2
        if plain.type == "CircleGlass"
        else abs(signed_area(object_edges(plain)))
    )
    assert abs(signed_area(object_edges(glass))) == pytest.approx(factor * area, rel=1e-4)


def test_an_ellipse_that_is_stretched_to_a_circle_is_one(tmp_path):
    (glass,) = convert_drawing(
        opened(tmp_path, svg('<ellipse rx="10" ry="5" transform="rotate(30) scale(1 2)"/>')),
        "glass",
    ).objects
    assert glass.type == "CircleGlass"
    assert math.dist(glass.p1, glass.p2) == pytest.approx(10)


RECT = '<rect width="10" height="10"/>'


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('<rect x="10mm" y="1cm" width="1in" height="36pt"/>', (10, 10, 35.4, 22.7)),
        ('<circle cx="50%" cy="50%" r="5mm"/>', (45.8, 20.4, 55.8, 30.4)),
        (f'<svg x="96" y="96" width="96" height="96" viewBox="0 0 10 10">{RECT}</svg>', (25.4, 25.4, 50.8, 50.8)),
        (f'<svg x="96" width="192" height="96" viewBox="0 0 10 10">{RECT}</svg>', (38.1, 0, 63.5, 25.4)),
        (f'<svg x="96" width="192" height="96" viewBox="0 0 10 10" preserveAspectRatio="xMinYMin">{RECT}</svg>', (25.4, 0, 50.8, 25.4)),
        (f'<svg width="192" height="96" viewBox="0 0 10 10" preserveAspectRatio="none">{RECT}</svg>', (0, 0, 50.8, 25.4)),
        ('<svg x="96" width="96" height="96"><rect width="50%" height="100%"/></svg>', (25.4, 0, 38.1, 25.4)),
        (f'<use href="#s" x="96" y="48" width="96" height="96"/><symbol id="s" viewBox="0 0 10 10">{RECT}</symbol>',
         (25.4, 12.7, 50.8, 38.1)),
        (f'<symbol id="s">{RECT}</symbol><use href="#s" x="96" y="48" transform="scale(2)"/>', (50.8, 25.4, 56.091667, 30.691667)),
    ],
)  # fmt: skip
def test_lengths_with_units_and_nested_viewports_of_svg(tmp_path, body, expected):
    (outline,) = opened(tmp_path, svg(body, 'width="4in" height="2in"')).outlines
    assert box_of_outline(outline) == pytest.approx(expected, abs=1e-6)


def test_the_view_box_may_stand_in_lines_and_give_the_unit(tmp_path):
    (outline,) = opened(
        tmp_path, svg(RECT, 'viewBox="0\t0\n100 100" width="50mm" height="50mm"')
    ).outlines
    assert box_of_outline(outline) == pytest.approx((0, 0, 5, 5))


@pytest.mark.parametrize(
    "body",
    [
        '<g style="display:none"><rect width="5" height="5"/></g>',
        "<style>.h {display: none}</style><rect class='h' width='5' height='5'/>",
        '<g visibility="hidden"><rect width="5" height="5"/></g>',
        *(
            f"<{name}><rect width='5' height='5'/></{name}>"
            for name in ("marker", "mask", "pattern", "symbol", "clipPath", "defs")
        ),
    ],
)
def test_what_an_svg_does_not_show_is_not_imported(tmp_path, body):
    (outline,) = opened(tmp_path, svg(body + '<circle r="3"/>')).outlines
    assert outline.radius == pytest.approx(3)


def test_what_is_left_out_of_an_svg_is_told(tmp_path):
    """As office programs write it: a box that is not painted around each shape, and each shape
    twice, for its fill and its line.
    """
    body = '<rect fill="none" stroke="none" width="9" height="9"/>'
    body += '<path d="M0 0h5v5z" stroke="none"/><path d="M0 0h5v5z" stroke="red" fill="none"/>'
    body += (
        '<clipPath id="c"/><text><tspan>a</tspan></text><image width="3" height="3"/><g'
        ' mask="url(#c)" clip-path="url(#c)"/>'
    )
    drawing = opened(tmp_path, svg(body))
    assert len(drawing.outlines) == 1
    assert drawing.notes == (
        "1 text was left out: convert it to a path.",
        "1 picture was left out.",
        "Shapes that are masked come whole.",
        "What is clipped by other than one simple closed path comes whole.",
        "Left out: 1 shape without a fill and a stroke. Give a stroke to what is to be imported.",
        "1 outline that is there twice is read once.",
    )


CLIP = '<clipPath id="c"><rect x="10" y="10" width="30" height="30"/></clipPath>'
BAR = 'd="M0 20H60V25H0z"'
CUT = "1 shape was cut at its clip path, with straight lines for curves."
TWO_CUT = "2 shapes were cut at their clip paths, with straight lines for curves."
WHOLE = "What is clipped by other than one simple closed path comes whole."


@pytest.mark.parametrize(
    ("body", "boxes", "note"),
    [
        (f'{CLIP}<path clip-path="url(#c)" {BAR}/>', [(10, 20, 40, 25)], CUT),
        (f'<path style="clip-path:url(#c)" {BAR}/>{CLIP}', [(10, 20, 40, 25)], CUT),
        (f'{CLIP}<style>.a, .b {{clip-path: url("#c");}}</style><path class="b" {BAR}/>', [(10, 20, 40, 25)], CUT),
        (f'{CLIP}<g clip-path="url(#c)" transform="translate(50 0)"><path {BAR}/></g>', [(60, 20, 90, 25)], CUT),
        (f'{CLIP}<path clip-path="url(#c)" fill="none" stroke="red" d="M0 20H60"/>', [(10, 20, 40, 20)], CUT),
        (f'{CLIP}<path clip-path="url(#c)" d="M12 20H20V25H12z"/>', [(12, 20, 20, 25)], None),
        (f'{CLIP}<circle r="3"/><path clip-path="url(#c)" d="M50 20H60V25H50z"/>', [(-3, -3, 3, 3)], CUT),
        (f'{CLIP}<g clip-path="url(#c)"><clipPath id="e"><path d="M0 0H20V60H0z"/></clipPath><path clip-path="url(#e)" {BAR}/></g>',
         [(10, 20, 20, 25)], CUT),
        ('<rect id="r" x="10" y="10" width="30" height="30" fill="none"/><clipPath id="k"><use href="#r" x="5"/></clipPath>'
         f'<path clip-path="url(#k)" {BAR}/>', [(15, 20, 45, 25)], CUT),
        (f'{CLIP}<defs><path id="u" clip-path="url(#c)" {BAR}/></defs><use href="#u"/><use href="#u" y="30"/>',
         [(10, 20, 40, 25), (10, 50, 40, 55)], TWO_CUT),
        (f'<clipPath id="e"><circle r="30"/><rect width="3" height="3"/></clipPath><path clip-path="url(#e)" {BAR}/>', [(0, 20, 60, 25)],
         WHOLE),
        (f'<clipPath id="e"><path d="M0 0L40 40H0L40 0z"/></clipPath><path clip-path="url(#e)" {BAR}/>', [(0, 20, 60, 25)], WHOLE),
        (f'<clipPath id="e" clipPathUnits="objectBoundingBox"><rect width=".5" height="1"/></clipPath><path clip-path="url(#e)" {BAR}/>',
         [(0, 20, 60, 25)], WHOLE),
        (f'<path clip-path="url(#nothing)" {BAR}/>', [(0, 20, 60, 25)], WHOLE),
    ],
)  # fmt: skip
def test_what_is_clipped_by_a_simple_path_is_cut_at_it_and_else_comes_whole(
    tmp_path, body, boxes, note
):
    drawing = opened(tmp_path, svg(body, 'viewBox="0 0 100 100" width="100mm" height="100mm"'))
    assert [box_of_outline(o) for o in drawing.outlines] == [
        pytest.approx(box, abs=1e-6) for box in boxes
    ]
    assert [n for n in drawing.notes if not n.startswith("Left out")] == ([note] if note else [])


def test_a_curve_is_cut_closely_and_one_wholly_inside_stays_a_curve(tmp_path):
    body = (
        CLIP + '<g clip-path="url(#c)"><circle cx="25" cy="25" r="10"/><circle cx="40" cy="25"'
        ' r="10"/></g>'
    )
    whole, half = convert_drawing(
        opened(tmp_path, svg(body, 'viewBox="0 0 100 100" width="100mm" height="100mm"')), "glass"
    ).objects
    assert whole.type == "CircleGlass"
    assert abs(signed_area(object_edges(half))) == pytest.approx(math.pi * 100 / 2, rel=1e-3)


@pytest.mark.parametrize(
    ("encoding", "declared"),
    [
        ("utf-8", ""),
        ("utf-8-sig", "UTF-8"),
        ("utf-16", "UTF-16"),
        ("utf-16-le", "utf-16"),
        ("utf-16-be", "utf-16"),
        ("latin-1", "ISO-8859-1"),
        ("utf-16", ""),
        ("utf-8", "utf-16"),
    ],
)
def test_svg_in_other_encodings_is_read(tmp_path, encoding, declared):
    head = f'<?xml version="1.0" encoding="{declared}"?>' if declared else ""
    path = tmp_path / "drawing.svg"
    path.write_bytes(
        f'{head}<svg xmlns="http://www.w3.org/2000/svg"><title>é</title>{RECT}</svg>'.encode(
            encoding
        )
    )
    (outline,) = read_drawing(path).outlines
    assert box_of_outline(outline)[2] == pytest.approx(10 * 25.4 / 96)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b'<?xml version="1.0" encoding="utf-7"?><svg/>', "is in the encoding utf-7"),
        (b"<svg>\xe9</svg>", "is no UTF-8 text"),
        ("<svg/>".encode("utf-16")[:-1], "is no UTF-16-LE text"),
    ],
)
def test_svg_in_an_encoding_that_is_not_read_says_so(tmp_path, content, reason):
    path = tmp_path / "drawing.svg"
    path.write_bytes(content)
    with pytest.raises(DrawingError, match=reason):
        read_drawing(path)


@pytest.mark.parametrize(
    ("unit", "mm", "name"),
    [
        (1, 25.4, "inches"),
        (3, 1609344, "units of 1.60934e+06 mm"),
        (6, 1000, "metres"),
        (15, 1e4, "units of 10000 mm"),
        (21, 304.8006096, "units of 304.801 mm"),
    ],
)
def test_units_of_dxf(tmp_path, unit, mm, name):
    drawing = dxf(tmp_path, lambda space, _: space.add_line((0, 0), (1, 0)), units=unit)
    assert box_of_outline(drawing.outlines[0])[2] == pytest.approx(mm)
    assert drawing.notes == (f"The drawing counts in {name}. Change its scale if that is wrong.",)


@pytest.mark.parametrize("unit", [0, 18, 99])
def test_a_dxf_without_a_unit_says_that_it_is_read_in_millimetres(tmp_path, unit):
    drawing = dxf(tmp_path, lambda space, _: space.add_line((0, 0), (1, 0)), units=unit)
    assert box_of_outline(drawing.outlines[0])[2] == 1
    assert drawing.notes == (
        "The drawing names no unit and is read in millimetres. Change its scale if that is wrong.",
    )


def test_what_a_dxf_hides_is_not_imported(tmp_path):
    def draw(space, drawing):
        drawing.layers.add("OFF").off()
        drawing.layers.add("FROZEN").freeze()
        block = drawing.blocks.new("B")
        block.add_circle((0, 0), 1)  # on layer 0: as the block
        block.add_circle((0, 0), 2, dxfattribs={"layer": "SHOWN"})
        space.add_circle((0, 0), 3, dxfattribs={"layer": "OFF"})
        space.add_line((0, 0), (9, 9), dxfattribs={"invisible": 1})
        space.add_blockref("B", (0, 0), dxfattribs={"layer": "FROZEN"})
        space.add_blockref("B", (0, 0), dxfattribs={"layer": "OFF"})
        space.add_circle((0, 0), 4, dxfattribs={"layer": "SHOWN"})

    drawing = dxf(tmp_path, draw)
    assert sorted(o.radius for o in drawing.outlines) == [2, 4]
    assert drawing.notes == (
        (
            "Left out: 5 hidden entities. Show what is hidden, and layers that are off or frozen,"
            " to import it."
        ),
    )


@pytest.mark.parametrize(
    ("d", "size"),
    [
        ("M 0 0 Q 10 20 20 0", (20, 10)),  # half as high as its control point
        ("M 0 0 C 0 40 100 -40 100 0", (100, 23.094011)),
        (f"M {20 * math.cos(0.3)} {-20 * math.sin(0.3)} A 20 20 0 0 0 {20 * math.cos(1.9)} {-20 * math.sin(1.9)}",
         (20 * (math.cos(0.3) - math.cos(1.9)), 20 * (1 - math.sin(0.3)))),
    ],
)  # fmt: skip
def test_the_size_of_a_drawing_is_that_of_its_curves(tmp_path, d, size):
    """Not of their control points, nor of the ends of an arc."""
    what = convert_drawing(opened(tmp_path, svg(f'<path d="{d}"/>')), "mirror", centre=Point(0, 0))
    assert what.size == pytest.approx(size, abs=1e-5)
    assert what.summary.endswith(f"{what.size[0]:.6g} × {what.size[1]:.6g}")


LAYERED = (
    '<g id="Optics"><path id="Wedge" d="M 0 0 L 10 0 L 0 20 Z"/></g>'
    '<g id="Mirrors"><path d="M 30 0 L 40 10"/><path id="path12" d="M 50 0 L 60 10"/></g>'
    '<g id="Frame"><path d="M 0 30 L 60 30"/></g>'
)


def test_layers_and_names_of_svg_are_kept_and_become_different_kinds(tmp_path):
    drawing = opened(tmp_path, svg(LAYERED))
    assert drawing.layers == ("Optics", "Mirrors", "Frame")
    found = convert_drawing(
        drawing, {layer: guess_layer_kind(layer) or "optics" for layer in drawing.layers[:2]}
    )
    assert [(o.type, o.name) for o in found.objects] == [
        ("Glass", "Wedge"), ("Mirror", ""), ("Mirror", "")
    ]  # fmt: skip
    keys = [o.key for o in found.objects]
    assert found.layers == {"Optics": keys[:1], "Mirrors": keys[1:]}
    assert found.objects[0].path[1][:2] == (10, 0), "at the place of the drawing"
    both = convert_drawing(drawing, "optics")
    assert [o.type for o in both.objects] == ["Glass", "Mirror", "Mirror", "Mirror"]


def test_layers_and_blocks_of_dxf_are_kept(tmp_path):
    def draw(model, doc):
        block = doc.blocks.new("Cube")
        block.add_lwpolyline([(0, 0), (10, 0), (10, 10)], close=True)
        insert = model.add_blockref("Cube", (5, 5), dxfattribs={"layer": "Glass"})
        insert.dxf.zscale = 0.0
        model.add_line((0, 0), (20, 20), dxfattribs={"layer": "Mirrors"})
        model.add_line((20, 20), (30, 0), dxfattribs={"layer": "Walls"})

    drawing = dxf(tmp_path, draw)
    found = convert_drawing(drawing, {n: guess_layer_kind(n) for n in drawing.layers})
    assert [(o.type, o.name) for o in found.objects] == [
        ("Glass", "Cube"), ("Mirror", ""), ("Blocker", "")
    ]  # fmt: skip
    assert found.objects[1].p2 == (20, -20)


def test_an_entity_that_cannot_be_read_is_left_out(tmp_path):
    def draw(model, doc):
        model.add_polyface().append_face([(0, 0, 0), (1, 0, 0), (0, 1, 0)])
        model.add_line((0, 0), (float("inf"), 0))
        model.add_lwpolyline([(0, 0), (10, 0), (10, 10)], close=True)

    (glass,) = convert_drawing(drawing := dxf(tmp_path, draw), "glass").objects
    assert glass.type == "Glass"
    assert "Damaged and left out: 1 × LINE" in " ".join(drawing.notes)
    assert "Left out: 1 × POLYLINE" in " ".join(drawing.notes)
