"""The class `Scene`, with which Python code builds, changes, traces and questions a scene."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar, overload

from raybench.errors import short_repr
from raybench.kinds.fields import camel_case, described_fields, settable_fields
from raybench.kinds.object import SceneObject
from raybench.library.objects import (
    InvalidArgument,
    Pair,
    field_as_json,
    finite_number,
    numpy_to_python_value,
    radius_or_none_if_flat,
    read_number_pair,
    values_by_file_name,
)
from raybench.scene import RELATIVE
from raybench.scene.changes import (
    Add,
    AddPreset,
    Change,
    Delete,
    Group,
    LinkNumber,
    Move,
    Rotate,
    Set,
    SetDocument,
    SetMaterial,
    SetSettings,
    changes_from_json,
)
from raybench.scene.changes.change import target_keys
from raybench.scene.document import Document, next_revision
from raybench.scene.names import object_named
from raybench.scene.scene import Scene as SceneValue
from raybench.scene.settings import Settings
from raybench.session import Session
from raybench.shapes.point import Point
from raybench.trace.limits import DEFAULT_LIMIT

if TYPE_CHECKING:
    from raybench.agent.call.approval import Profile
    from raybench.agent.models.protocol import Backend
    from raybench.library.asking import AskedQuestion
    from raybench.library.light import Light
    from raybench.library.studies import (
        Measure,
        OptimisationResult,
        Progress,
        StudyTable,
        ToleranceResult,
    )
    from raybench.library.tools import Tools
    from raybench.study.refinement import RefinedLight

Named = str | SceneObject
"""An object, by its name or itself."""
O = TypeVar("O", bound=SceneObject)  # noqa: E741


class Scene:
    """A scene: objects, settings and an undo history. Objects are immutable values:
    ``scene["Lens"]`` is the present state of the object with this name. The methods of the scene
    change it; each change is a step that `undo` reverts.

    Unless settings say otherwise, colours are simulated, sources send one ray per scene unit, and
    rays are followed down to a power of 0.01; with ``color_mode="linear"`` down to 0.000001, as
    ghosts and balances of power need it.

    Args:
        objects: The initial objects.
        unit: The length unit of the scene.
        power_unit: The unit of powers: relative, W, mW, µW or lm (for which sources are given in
            W). Set the power of all rays of a source by ``scene.set("Sun", power="5 mW")``.
        settings: Settings of the scene in snake case, such as ``ray_mode_density=10``.

    Examples:
        >>> import raybench as rb
        >>> scene = rb.Scene(
        ...     rb.Beam("Sun", width=10, at=(-40, 0), wavelength=587.56),
        ...     rb.Lens("L1", r=(50, -50), thickness=6, glass="N-BK7", diameter=20),
        ...     rb.Detector("Film", height=10, at=(45, 0)),
        ... )
        >>> scene
        <Scene of 3 objects in mm: Sun, L1, Film>
        >>> scene.measure("focal_length(L1)")
        <49.3842 mm = focal_length(L1)>
        >>> scene.set("L1", glass="N-SF11")
        >>> scene.measure("focal_length(L1)")
        <32.7217 mm = focal_length(L1)>
        >>> scene.undo()
        True
    """

    def __init__(
        self,
        *objects: SceneObject | AddPreset,
        unit: str = "mm",
        power_unit: str = RELATIVE,
        **settings: Any,
    ) -> None:
        self.session = Session()
        start = {"simulateColors": True, "rayModeDensity": 1.0}
        self._light: tuple[tuple[object, ...], Light] | None = None
        self.session.apply([SetDocument(unit=unit, power_unit=power_unit), SetSettings(start)])
        if settings:
            self.set_settings(**settings)
        if objects:
            self.add(*objects)
        self.session.history.done.clear()
        self.session.saved = self.session.document

    @classmethod
    def open(cls, source: str | Path) -> Self:
        """Open a scene from a file, a link, or an example such as ``example:prism``. Raises
        SceneFileError.
        """
        scene = cls.__new__(cls)
        scene.session, scene._light = Session.open(source), None
        return scene

    @classmethod
    def of(cls, document: Document | SceneValue | Session) -> Self:
        """The scene of a document or a session. Changes of the scene become part of the history of
        the session.
        """
        scene = cls.__new__(cls)
        if isinstance(document, SceneValue):
            document = Document(scene=document)
        scene.session = document if isinstance(document, Session) else Session(document)
        scene._light = None
        return scene

    def save(self, path: str | Path | None = None) -> tuple[str, ...]:
        """Write the scene to a file, by default the one that it was read from. Returns sentences
        that say what the file cannot store: none for a ``.raybench`` document.
        """
        return self.session.save(None if path is None else Path(path))

    # --- objects

    @property
    def document(self) -> Document:
        """The scene with its annotations as an immutable value."""
        return self.session.document

    @property
    def unit(self) -> str:
        """The length unit of the scene."""
        return self.document.unit

    @property
    def settings(self) -> Settings:
        """The settings of the scene."""
        return self.document.scene.settings

    @property
    def names(self) -> list[str]:
        """The names of the objects, in order."""
        return [o.title for o in self]

    def __getitem__(self, name: str) -> Any:
        return object_named(self.document.scene, name)

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __iter__(self) -> Iterator[SceneObject]:
        return iter(self.document.scene.objects)

    def __len__(self) -> int:
        return len(self.document.scene.objects)

    @overload
    def add(self, given: O, /) -> O: ...
    @overload
    def add(self, *given: SceneObject | AddPreset) -> Any: ...
    def add(self, *given: SceneObject | AddPreset) -> Any:
        """Add objects or presets. Returns the added object, or a tuple of several."""
        for one in given:
            if not isinstance(one, SceneObject | AddPreset):
                raise InvalidArgument(
                    f"{type(one).__name__} is no object. Give such as rb.Mirror(height=20)."
                )
        before = {o.key for o in self}
        self.session.apply([Add((one,)) if isinstance(one, SceneObject) else one for one in given])
        new = tuple(o for o in self if o.key not in before)
        return new[0] if len(new) == 1 else new

    def delete(self, *names: Named) -> None:
        """Delete objects."""
        self.session.apply(Delete([self._change_target(name) for name in names]))

    def set(self, name: Named, /, **values: Any) -> None:
        """Set fields of an object. Names are in snake case or spelled as in files; values have the
        types of the function that creates the object. ``name`` renames the object, ``glass`` sets
        its material, ``r1``, ``r2`` and ``thickness`` change the data of a lens, and ``power``,
        such as ``"5 mW"``, sets the power of a source.
        """
        changes: list[Change] = []
        target = self._change_target(name)
        if "glass" in values:
            changes.append(SetMaterial([target], values.pop("glass")))
        if values:
            scene = self.document.scene
            obj: Any = (
                self[name]
                if isinstance(name, str)
                else scene.get(*target_keys(self.document, [name.key]))
            )
            if data := _lens_data(obj, values):
                values = {n: v for n, v in values.items() if n not in ("thickness", *data)}
                values["params"] = {**obj.params, **data}
            fields = settable_fields(type(obj))
            given = values_by_file_name(values, fields, obj.title)
            described = {camel_case(f.name): f for f in fields}
            changes.append(
                Set(
                    [target],
                    {n: field_as_json(described[n], v, obj.title) for n, v in given.items()},
                )
            )
        self.session.apply(changes)

    def set_settings(self, **settings: Any) -> None:
        """Change settings of the scene, named in snake case, such as ``ray_mode_density=10``, and
        the units ``unit`` and ``power_unit``.
        """
        units = [f for f in described_fields(SetDocument) if f.json_name in ("unit", "powerUnit")]
        values = values_by_file_name(settings, [*described_fields(Settings), *units], "Scene")
        given = {f.name: values.pop(f.json_name) for f in units if f.json_name in values}
        changes: list[Change] = [SetDocument(**given)] if given else []
        if values or not given:
            changes.append(SetSettings(values))
        self.session.apply(changes)

    def move(self, name: Named, dx: float = 0.0, dy: float = 0.0) -> None:
        """Move an object or a group by ``dx`` to the right and ``dy`` down."""
        dx, dy = finite_number(dx, "dx", "move"), finite_number(dy, "dy", "move")
        self.session.apply(Move([self._change_target(name)], dx, dy))

    def rotate(self, name: Named, angle: float, about: Pair | None = None) -> None:
        """Rotate an object or a group by ``angle`` degrees, counter-clockwise as seen, about a
        point, by default its centre.
        """
        angle = finite_number(angle, "angle", "rotate")
        about_point = None if about is None else Point(*read_number_pair(about, "about"))
        self.session.apply(Rotate([self._change_target(name)], angle, about_point))

    def group(self, name: str, *members: Named) -> None:
        """Create a group of objects with a name."""
        self.session.apply(Group([self._change_target(m) for m in members], name))

    def change(self, changes: Mapping[str, Any] | Sequence[Any] | Change) -> None:
        """Apply all changes, or none if one fails. Changes are values, or JSON such as ``[{"move":
        "Lens", "dx": 5}]``. Raises ChangeRefused.
        """
        if isinstance(changes, Mapping) or (
            isinstance(changes, Sequence) and not all(isinstance(c, Change) for c in changes)
        ):
            self.session.apply(changes_from_json(changes, self.document))
        else:
            self.session.apply(changes)

    @property
    def links(self) -> Mapping[str, str]:
        """The linked numbers, each with its expression."""
        return {link.parameter.text: link.expression for link in self.document.links}

    def link(self, number: str, expression: str = "") -> None:
        """Link a number, such as ``"L2.focalLength"``, to an expression of others, such as
        ``"2*L1.focalLength"``. The number is updated after every change; an empty expression
        removes the link. Fields are spelled as in files; the position of an object is ``centre_x``,
        ``centre_y`` and ``orientation``.
        """
        self.session.apply(LinkNumber(number, expression))

    def undo(self) -> bool:
        """Revert the last step. Returns whether there was one."""
        return self.session.undo()

    def redo(self) -> bool:
        """Repeat the last reverted step. Returns whether there was one."""
        return self.session.redo()

    def copy(self) -> Self:
        """An independent scene with the same objects."""
        return type(self).of(replace(self.document, revision=next_revision()))

    def _change_target(self, name: Named) -> int | str:
        if not isinstance(name, str | SceneObject):
            raise InvalidArgument(f"{short_repr(name)} is no object. Give a name or an object.")
        return name if isinstance(name, str) else name.key

    # --- light

    def trace(self, *, max_segments: int = DEFAULT_LIMIT, threads: int | None = None) -> Light:
        """The light of the present scene. The trace is cached until the scene changes."""
        from raybench.library.light import Light
        from raybench.trace.trace import trace

        if finite_number(max_segments, "max_segments", "trace") < 1:
            raise InvalidArgument(f"max_segments is {max_segments!r}; give a number of at least 1.")
        state = (self.document.revision, max_segments)
        if self._light is None or self._light[0] != state:
            result = trace(
                self.document,
                max_segments=max_segments,
                threads=threads,
                memory=self.session.memory,
            )
            self.session.result = result
            self._light = state, Light(self.document, result)
        return self._light[1]

    def measure(self, text: str) -> Any:
        """The value of a measure, such as ``rms(Film)``."""
        return self.trace().measure(text)

    # --- studies

    def sweep(
        self,
        vary: Mapping[str, Iterable[Any]],
        measures: Measure | Sequence[Measure],
        *,
        progress: Progress | None = None,
    ) -> StudyTable:
        """The values of measures for each value of one or two parameters.

        Args:
            vary: Values by parameter, such as ``{"Lens.x": np.linspace(0, 5, 11)}``, numbers or
                choices. A parameter is a field such as ``Lens.focal_length`` or ``Lens.r1``, or a
                motion ``x``, ``y``, ``angle`` relative to the present position.
            measures: Texts such as ``rms(Film)``, or functions of the light.
            progress: Function that makes a progress bar, such as ``tqdm``.
        """
        from raybench.library import studies

        return studies.sweep(self, vary, measures, progress)

    def optimise(
        self,
        vary: Mapping[str, tuple[float, float] | Sequence[str]],
        goal: Measure | Sequence[Measure],
        *,
        measures: Sequence[str] = (),
        whole_range: bool = False,
        keep_path: bool = True,
        seed: int = 0,
        progress: Progress | None = None,
    ) -> OptimisationResult:
        """Find the values of parameters that meet a goal best. The scene does not change until
        `OptimisationResult.apply` is called.

        Args:
            vary: Bounds by parameter, such as ``{"Lens.x": (-5, 5)}``, or choices.
            goal: Texts such as ``least rms(Film)``, or functions of the light, which are minimised.
            measures: Further measures whose values before and after are reported.
            whole_range: Search the whole ranges first.
            keep_path: Ignore points at which the light of a goal takes another kind of path than at
                present.
            seed: Random seed of the search of the whole ranges.
            progress: Function that makes a progress bar, such as ``tqdm``.
        """
        from raybench.library import studies

        return studies.optimise(self, vary, goal, measures, whole_range, keep_path, seed, progress)

    def tolerance(
        self,
        vary: Mapping[str, float | str] | Sequence[str],
        measures: str | Sequence[str],
        *,
        limits: str | Sequence[str] = (),
        adjust: Mapping[str, tuple[float, float]] | Sequence[str] = (),
        goals: str | Sequence[str] = (),
        samples: int = 1000,
        seed: int = 0,
        progress: Progress | None = None,
    ) -> ToleranceResult:
        """Compute the effect of deviations on measures: of each deviation alone, and of all
        together in random samples.

        Args:
            vary: The largest deviation of each parameter to both sides, such as ``{"Lens.x": 0.1}``
                or ``{"Lens.x": "0.1 normal"}``; or texts such as ``Lens.x±0.1``.
            measures: Texts such as ``rms(Film)``.
            limits: Conditions on a good sample, such as ``rms(Film) < 0.2``.
            adjust: Bounds of compensators, such as ``{"Film.x": (-5, 5)}``, or texts such as
                ``Film.x=-5..5``.
            goals: Goals of the compensators, such as ``least rms(Film)``.
            samples: Number of random samples.
            seed: Random seed of the samples.
            progress: Function that makes a progress bar, such as ``tqdm``.
        """
        from raybench.library import studies

        return studies.tolerance(
            self, vary, measures, limits, adjust, goals, samples, seed, progress
        )

    def estimate(
        self,
        measures: str | Sequence[str],
        *,
        error: float = 0.01,
        draws: int = 1_000_000,
        progress: Progress | None = None,
    ) -> StudyTable:
        """Estimate the means of measures over independent random draws of the scene, with their
        standard errors.

        Args:
            measures: Texts such as ``power(Film)``.
            error: The relative standard error at which the estimate ends.
            draws: The maximum number of draws.
            progress: Function that makes a progress bar, such as ``tqdm``.
        """
        from raybench.library import studies

        return studies.estimate(self, measures, error, draws, progress)

    def brightness(
        self,
        box: tuple[float, float, float, float] | None = None,
        width: int = 800,
        *,
        error: float = 0.01,
        draws: int = 1_000_000,
    ) -> RefinedLight:
        """The brightness of the light in a box of the scene, averaged over many draws: traces with
        other source rays, which lie between those of the other draws, and other random numbers.

        The ``light`` (height, width, 3) of the result is linear red, green and blue: the sum over
        rays of power times the length of the ray within the pixel, in pixels. It is white if
        colours are not simulated.

        Args:
            box: Left, top, right and bottom; by default the bounding box of objects and rays.
            width: The width of the picture, in pixels.
            error: The relative standard error of the displayed picture at which the refinement
                ends.
            draws: The maximum number of draws.
        """
        from raybench.library.picture import refined_brightness

        return refined_brightness(self.document, box, width, error, draws)

    # --- questions

    @property
    def tools(self) -> Tools:
        """The tools of the scene as functions, such as ``scene.tools.find_ghosts()``, and as
        schemas: ``scene.tools(format="openai")``.
        """
        from raybench.library.tools import Tools

        return Tools(self)

    def ask(
        self,
        text: str,
        *,
        model: str = "",
        base_url: str = "",
        offline: bool = False,
        profile: Profile = "read-only",
        backend: Backend | None = None,
    ) -> AskedQuestion:
        """Ask a question about the scene, or ask for a change. The result can be awaited or read
        directly.

        Args:
            text: The sentence, or a command such as ``/find_ghosts_xml``.
            model: The name of a language model; by default the model in the environment variables.
                Without any, no model is used.
            base_url: The address of the model's server.
            offline: Use no model.
            profile: The permissions of tools: ``read-only``, or ``auto`` to allow changes of this
                scene.
            backend: A model object of your own, instead of a name.
        """
        from raybench.agent.models.any_server import configured_backend
        from raybench.library.asking import AskedQuestion

        asked = None if offline else backend or configured_backend(model, base_url)
        return AskedQuestion(self, text, asked, profile)

    def svg(self, width: int = 720) -> str:
        """The scene and its rays as an SVG picture."""
        return self.trace().svg(width)

    def __repr__(self) -> str:
        return f"<Scene of {len(self)} objects in {self.unit}: {', '.join(self.names[:6])}{' …' if len(self) > 6 else ''}>"

    def _repr_html_(self) -> str:
        from raybench.library.picture import scene_svg

        return scene_svg(self.document, None)


def _lens_data(obj: Any, values: Mapping[str, Any]) -> dict[str, Any]:
    """The ``values`` that are parameters of the lens ``obj``, by their names there; empty for an
    object without lens data.
    """
    params = getattr(obj, "params", None)
    if not isinstance(params, Mapping):
        return {}
    named = {("d" if name == "thickness" else name): value for name, value in values.items()}
    return {
        name: radius_or_none_if_flat(value)
        if name in ("r1", "r2")
        else numpy_to_python_value(value)
        for name, value in named.items()
        if name in params
    }
