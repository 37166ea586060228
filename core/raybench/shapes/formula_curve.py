"""Approximation of curves that are given by formulas. The result is a chain of cubic Bezier curves
with a relative accuracy of 1e-12.

The error of cubic Hermite interpolation is proportional to the fourth power of the step (Farin,
section 7.5), so adaptive halving of steps converges fast. At a jump of a formula, a straight line
joins both sides, as between the samples of other programs. There is no curve where a formula is
undefined, nor across a pole.
"""

import math
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, TypeVar, cast

import numpy as np

from raybench.arrays import Booleans, Floats
from raybench.errors import RaybenchError
from raybench.formula import derivative, parse_latex
from raybench.formula.arrays import evaluate_arrays
from raybench.formula.tree import Node, distinct_nodes
from raybench.shapes.bezier import Chain

Samples = Callable[[Floats], tuple[Floats, Floats]]
"""Points, (n, 2), and derivatives, (n, 2), of a curve at parameters from 0 to 1, (n,)."""

CURVE_TOLERANCE = 1e-12
"""Maximum distance of the cubics from the curve, as a fraction of its extent."""
FIRST_STEPS, MAX_PIECES, MAX_HALVINGS = 8, 100_000, 50
CHECKED_FRACTIONS = (0.11, 0.23, 0.37, 0.5, 0.64, 0.77, 0.9)
"""Where within a step a cubic is compared with the curve: unevenly spaced, to avoid aliasing with
oscillations.
"""
MIN_STEP, MAX_CONTINUOUS_STEP = 1e-9, 1e-3
"""The shortest step as a fraction of the parameter range, and the largest change in it that is not
a jump, as a fraction of the extent.
"""
STEPS_BESIDE_JUMP = 100
"""How many shortest steps beside a jump the curve is looked at, to tell a jump between two values
from a pole.
"""
BISECTIONS = 60
MANY_CUBICS = 300
"""A graph that needs more cubics than this is also tried with the angle as parameter."""
LARGEST_WORK = 2_000_000_000
"""The most operations of formulas that an approximation may take, some 5 to 8 seconds: many pieces
of a long formula take many.
"""
F = TypeVar("F", bound=Callable[..., Any])


class CurveError(RaybenchError):
    """A formula does not give a usable curve."""


def _cache_latest_results(function: F) -> F:
    """A decorator that caches the latest results of a function, and also its errors. A result may
    take seconds, and drawing, checking and tracing need the same curves.
    """

    @lru_cache(maxsize=512)
    def result_or_error(*args: Any, **options: Any) -> Any:
        try:
            return function(*args, **options)
        except CurveError as error:
            return error

    @wraps(function)
    def call_cached(*args: Any, **options: Any) -> Any:
        found = result_or_error(*args, **options)
        if isinstance(found, CurveError):
            raise CurveError(str(found))
        return found

    return cast(F, call_cached)


@_cache_latest_results
def graph_cubics(equation: str) -> Floats:
    """The graph y = f(x) from x = -1 to 1, as cubics, (n, 4, 2), in order. Raises FormulaError or
    CurveError.

    The parameter is x or, if this needs many cubics, the angle whose negative cosine is x, since
    many graphs, such as a semicircle, have vertical tangents at their ends.
    """
    f = parse_latex(equation, ("x",))
    slope = derivative(f, "x")
    empty = f"'{equation:.60}' has no value between x = -1 and 1"

    def points_and_derivatives(x: Floats, dx: Floats) -> tuple[Floats, Floats]:
        y, dy = evaluate_arrays((f, slope), {"x": x})
        with np.errstate(all="ignore"):
            return np.column_stack([x, y]), np.column_stack([dx, dy * dx])

    def samples_by_x(u: Floats) -> tuple[Floats, Floats]:
        return points_and_derivatives(2 * u - 1, np.full(len(u), 2.0))

    def samples_by_angle(u: Floats) -> tuple[Floats, Floats]:
        x = np.where(u == 0.0, -1.0, np.where(u == 1.0, 1.0, -np.cos(np.pi * u)))
        return points_and_derivatives(x, np.pi * np.sin(np.pi * u))

    straight, _ = _approximate_curve(samples_by_x, empty, operations := _count_operations(f, slope))
    if len(straight) <= MANY_CUBICS:
        return straight
    try:
        return min(straight, _approximate_curve(samples_by_angle, empty, operations)[0], key=len)
    except CurveError:  # too many pieces or operations by angle alone
        return straight


@_cache_latest_results
def parametric_curve(equation_x: str, equation_y: str, first: float, last: float) -> Chain:
    """The curve (x(t), y(t)) for t from ``first`` to ``last``. Its spans hold the values of t.
    Raises FormulaError or CurveError.
    """
    x, y = (parse_latex(text, ("t",)) for text in (equation_x, equation_y))
    slopes = derivative(x, "t"), derivative(y, "t")
    span = last - first

    def points_and_derivatives(u: Floats) -> tuple[Floats, Floats]:
        t = np.where(u == 1.0, last, first + u * span)
        at_x, at_y, dx, dy = evaluate_arrays((x, y, *slopes), {"t": t})
        with np.errstate(all="ignore"):
            return np.column_stack([at_x, at_y]), np.column_stack([dx, dy]) * span

    empty = (
        f"('{equation_x:.60}', '{equation_y:.60}') has no value for t from {first:g} to {last:g}"
    )
    cubics, fractions = _approximate_curve(
        points_and_derivatives, empty, _count_operations(x, y, *slopes)
    )
    return Chain(cubics, np.where(fractions == 1.0, last, first + fractions * span))


@_cache_latest_results
def graph_polygon(equation: str, step: float, *, from_right: bool = False) -> Floats:
    """The polygon of a graph y = f(x) as straight cubics (n, 4, 2). It is sampled as in the file
    format: at x = -1, after half a ``step``, and then at every step up to x = 1. Raises
    FormulaError or CurveError.
    """
    f = parse_latex(equation, ("x",))
    x = _sampled_parameters(-1.0 - step / 2, 1.0, step)
    x[0] = -1.0
    x = -x[::-1] if from_right else x
    (y,) = evaluate_arrays((f,), {"x": x})
    return _polygon_chain(np.column_stack([x, y]), x, f"'{equation:.60}'").cubics


@_cache_latest_results
def parametric_polygon(
    equation_x: str, equation_y: str, first: float, last: float, step: float
) -> Chain:
    """The polygon through points of the curve (x(t), y(t)): at t = ``first``, at every ``step``
    after it, and at t = ``last``. Its spans hold the values of t. Raises FormulaError or
    CurveError.
    """
    x, y = (parse_latex(text, ("t",)) for text in (equation_x, equation_y))
    t = _sampled_parameters(first, last, step)
    points = np.column_stack(evaluate_arrays((x, y), {"t": t}))
    return _polygon_chain(points, t, f"('{equation_x:.60}', '{equation_y:.60}')")


def _sampled_parameters(first: float, last: float, step: float) -> Floats:
    """The parameters ``first``, ``first`` + ``step`` and so on, up to ``last``. Raises CurveError."""
    if not step > 0:
        raise CurveError(f"its step is {step:g}, and it is polygonal. Give a step above 0.")
    steps = (last - first) / step
    if steps > MAX_PIECES:
        raise CurveError(f"the polygon has more than {MAX_PIECES} sides. Give a larger step.")
    # a last step that is only rounding is none
    count = max(1, math.ceil(steps - MIN_STEP))
    return np.append(first + step * np.arange(count), last)


def _polygon_chain(points: Floats, parameters: Floats, curve: str) -> Chain:
    """A chain of straight cubics through the points (n, 2). Undefined points are left out."""
    known = np.isfinite(points).all(axis=1)
    points, parameters = points[known], parameters[known]
    if len(points) < 2:
        raise CurveError(f"{curve} has no two values at its steps. Change the formula or the step.")
    spans = np.column_stack([parameters[:-1], parameters[1:]])
    apart = (points[1:] != points[:-1]).any(axis=1) | (len(points) == 2)
    return Chain(_straight_cubics(points[:-1], points[1:])[apart], spans[apart])


@_cache_latest_results
def check_graph_order(lower: str, upper: str) -> None:
    """Raise CurveError if the graph of ``lower`` is above the graph of ``upper`` somewhere between
    x = -1 and 1, since such graphs do not bound a body.
    """
    x = np.linspace(-1.0, 1.0, 2001)
    below, above = evaluate_arrays(
        (parse_latex(lower, ("x",)), parse_latex(upper, ("x",))), {"x": x}
    )
    wrong = np.flatnonzero(below > above + 1e-9)
    if len(wrong):
        raise CurveError(
            f"'{lower:.60}' lies above '{upper:.60}' at x = {x[wrong[0]]:g}. Swap the two formulas,"
            " or change them."
        )


def _count_operations(*roots: Node) -> int:
    """The number of operations for one evaluation of the trees."""
    return sum(1 for _ in distinct_nodes(*roots))


@np.errstate(
    over="ignore", invalid="ignore"
)  # values such as 1e300 are rejected later, when the curve is placed
def _approximate_curve(
    samples: Samples, no_curve_text: str, operations: int
) -> tuple[Floats, Floats]:
    """Approximate a curve by cubics, each as long as the tolerance allows. Returns the cubics, and
    the parameters (n, 2) at their ends.

    ``operations`` is the number of operations for one sample. Raises CurveError if there is no
    curve, or if too many cubics or operations are needed.
    """
    cuts = np.linspace(0.0, 1.0, FIRST_STEPS + 1)
    low, high = cuts[:-1], cuts[1:]
    places, _ = samples(np.linspace(0.0, 1.0, 8 * FIRST_STEPS + 1))
    finite = places[np.isfinite(places).all(axis=1)]
    if len(finite) == 0:
        raise CurveError(f"{no_curve_text}. Change the formula or its range.")
    extent = float(np.ptp(finite, axis=0).max()) or 1.0
    done: list[tuple[Floats, Floats, Floats]] = []
    jumps: list[tuple[Floats, Floats]] = []
    count = taken = 0
    for halving in range(MAX_HALVINGS):
        taken += len(low) * (2 + len(CHECKED_FRACTIONS)) * operations
        if taken > LARGEST_WORK:
            raise CurveError(
                f"the curve has too many bends for a formula of {operations} operations. Use a"
                " shorter or a smoother formula."
            )
        cubics = _hermite_cubics(samples, low, high)
        good = np.asarray(np.isfinite(cubics).all(axis=(1, 2)))
        somewhere = np.asarray(
            np.isfinite(cubics[:, 0]).all(axis=1) | np.isfinite(cubics[:, 3]).all(axis=1)
        )
        for share in CHECKED_FRACTIONS:
            asked = np.flatnonzero(good | ~somewhere)  # the others cannot change at this share
            truth, _ = samples((low + share * (high - low))[asked])
            somewhere[asked] |= np.isfinite(truth).all(axis=1)
            off = np.abs(_cubic_points(cubics[asked], share) - truth).max(axis=1)
            good[asked] &= off <= CURVE_TOLERANCE * max(extent, float(np.abs(finite).max()) * 1e-3)
        # a step of minimum length becomes a straight line, or if it holds a jump, a wall; at the
        # ends of the formula's domain steps are halved down to machine precision, and those outside
        # it are omitted
        ends = np.isfinite(cubics[:, (0, 3)]).all(axis=(1, 2))
        small = np.abs(cubics[:, 3] - cubics[:, 0]).max(axis=1) <= MAX_CONTINUOUS_STEP * extent
        straight = ~good & ends & (high - low < MIN_STEP)
        cubics[straight] = _straight_cubics(cubics[straight, 0], cubics[straight, 3])
        jumps.append((low[straight & ~small], high[straight & ~small]))
        good |= straight & small
        done.append((low[good], high[good], cubics[good]))
        count += int(good.sum())
        more = ~good & ~straight & (somewhere | (halving < 2))
        low, high = low[more], high[more]
        if len(low) == 0:
            break
        if count + 2 * len(low) > MAX_PIECES:
            raise CurveError(
                f"the curve needs more than {MAX_PIECES} pieces for an accurate approximation. Use"
                " a smoother formula."
            )
        middle = (low + high) / 2
        low, high = np.concatenate([low, middle]), np.concatenate([middle, high])
    if count == 0:
        raise CurveError(f"{no_curve_text}. Change the formula or its range.")
    done.append(_jump_cubics(samples, *(np.concatenate(part) for part in zip(*jumps, strict=True))))
    first, last, pieces = (np.concatenate(part) for part in zip(*done, strict=True))
    order = np.lexsort((last, first))
    first, last, pieces = first[order], last[order], pieces[order]
    # a single point without a value, as that of x/|x| at 0, or with one of its own leaves a gap of
    # up to two shortest steps
    gap = first[1:] - last[:-1]
    near = np.flatnonzero((gap > 0) & (gap <= 2 * MIN_STEP))
    gaps = near[
        _has_finite_jumps(
            samples, last[near], first[near + 1], pieces[near, 3], pieces[near + 1, 0]
        )
    ]
    spans = np.column_stack(
        [np.insert(first, gaps + 1, last[gaps]), np.insert(last, gaps + 1, first[gaps + 1])]
    )
    return np.insert(
        pieces, gaps + 1, _straight_cubics(pieces[gaps, 3], pieces[gaps + 1, 0]), axis=0
    ), spans


def _jump_cubics(samples: Samples, low: Floats, high: Floats) -> tuple[Floats, Floats, Floats]:
    """Cubics for the intervals from ``low`` to ``high`` that contain a jump: up to the jump, across
    it, and after it. Intervals with a pole are left out.

    Returns the parameters at the start and the end of each cubic, and the cubics.
    """
    p, q = samples(low)[0], samples(high)[0]
    finite = _has_finite_jumps(samples, low, high, p, q)
    low = low[finite]
    high = high[finite]
    p = p[finite]
    q = q[finite]
    left = low.copy()
    right = high.copy()
    before = p.copy()
    after = q.copy()
    for _ in range(BISECTIONS if len(low) else 0):
        middle = (left + right) / 2
        at, _slope = samples(middle)
        on_left = np.abs(at - before).max(axis=1) <= np.abs(at - after).max(axis=1)
        on_right = ~on_left & np.isfinite(at).all(axis=1)
        left, right = np.where(on_left, middle, left), np.where(on_right, middle, right)
        before = np.where(on_left[:, None], at, before)
        after = np.where(on_right[:, None], at, after)
    starts, ends = np.concatenate([low, left, right]), np.concatenate([left, right, high])
    cubics = _straight_cubics(
        np.concatenate([p, before, after]), np.concatenate([before, after, q])
    )
    proper = (ends > starts) & (np.abs(cubics[:, 3] - cubics[:, 0]).max(axis=1) > 0)
    return starts[proper], ends[proper], cubics[proper]


def _has_finite_jumps(
    samples: Samples, low: Floats, high: Floats, start_points: Floats, end_points: Floats
) -> Booleans:
    """Whether each interval, from ``start_points`` at ``low`` to ``end_points`` at ``high``,
    contains a jump between two finite values. At a pole, in contrast, the difference of the end
    points decreases as the interval grows.
    """
    beside = STEPS_BESIDE_JUMP * MIN_STEP
    before = samples(np.maximum(low - beside, 0.0))[0]
    after = samples(np.minimum(high + beside, 1.0))[0]
    finite: Booleans = np.abs(end_points - start_points).max(axis=1) <= 2 * np.abs(
        after - before
    ).max(axis=1)
    return finite


def _hermite_cubics(samples: Samples, low: Floats, high: Floats) -> Floats:
    """Cubics with the end points and the derivatives of the curve. An infinite derivative is
    replaced by an estimate from nearby points.
    """
    (p, dp), (q, dq) = samples(low), samples(high)
    h = (high - low)[:, None]
    for at, slope, other in ((p, dp, 1), (q, dq, -1)):
        rough = ~np.isfinite(slope).all(axis=1) & np.isfinite(at).all(axis=1)
        if rough.any():
            start, step = (low, h[:, 0]) if other == 1 else (high, -h[:, 0])
            a, _ = samples(start[rough] + step[rough] * 0.25)
            b, _ = samples(start[rough] + step[rough] * 0.5)
            # the derivative of the parabola through three nearby points
            slope[rough] = (-3 * at[rough] + 4 * a - b) / (0.5 * step[rough])[:, None]
    return np.stack([p, p + dp * h / 3, q - dq * h / 3, q], axis=1)


def _straight_cubics(start_points: Floats, end_points: Floats) -> Floats:
    """Straight cubics from the points ``start_points`` to the points ``end_points``, (n, 2)."""
    return np.stack(
        [
            start_points,
            start_points + (end_points - start_points) / 3,
            end_points - (end_points - start_points) / 3,
            end_points,
        ],
        axis=1,
    )


def _cubic_points(cubics: Floats, u: float) -> Floats:
    v = 1 - u
    weights = np.array([v**3, 3 * v * v * u, 3 * v * u * u, u**3])
    points: Floats = np.einsum("i,nij->nj", weights, cubics)
    return points


def transform_chain(
    chain: Chain, origin: tuple[float, float], along: tuple[float, float], up: tuple[float, float]
) -> Chain:
    """The chain in scene coordinates: the curve's x and y axes become the vectors ``along`` and
    ``up``, with the origin at ``origin``.
    """
    cubics = chain.cubics
    return Chain(
        np.array(origin) + cubics[..., :1] * np.array(along) + cubics[..., 1:] * np.array(up),
        chain.spans,
    )
