"""The example scenes that come with the program, each with questions that a command answers; and
the help page ``examples.md``.

Commands take ``example:rainbow`` for the scene ``rainbow.json``.
"""

from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath

RESOURCES = files("raybench_resources")
FOLDER = RESOURCES.joinpath("examples")
FIRST = RESOURCES.joinpath("scenes", "prism.json")
"""The scene of the first window, and of the tour."""
PREFIX = "example:"


PROJECT = (f"{PREFIX}project", FOLDER.joinpath("project"))
"""The example project: its short name, and its folder."""


@dataclass(frozen=True)
class Question:
    """A question about an example: the command with its arguments, in which ``SCENE`` is replaced
    by the scene's file, and the answer.
    """

    command: tuple[str, ...]
    answer: str


@dataclass(frozen=True)
class Example:
    """An example scene: its file below `FOLDER`, a title, and what to ask about it."""

    file: str
    title: str
    questions: tuple[Question, ...]

    @property
    def path(self) -> Traversable:
        return FOLDER.joinpath(*self.file.split("/"))

    @property
    def name(self) -> str:
        """The name by which commands take the scene."""
        return f"{PREFIX}{PurePosixPath(self.file).stem}"


def _question_entry(text: str, answer: str) -> Question:
    return Question(("ask", "SCENE", text, "--offline"), answer)


def _tool_entry(name: str, *arguments: str, answer: str) -> Question:
    return Question(("tool", "SCENE", name, *arguments), answer)


EXAMPLES: tuple[Example, ...] = (
    Example("rainbow.json", "The rainbow: dispersion and reflection in a drop", (
        _question_entry("At what angle does red light reach Eye?", "42.3°, for water, where cos² i = (n² - 1) / 3 on the drop"),
        _tool_entry("find_paths_xml", "Red > Drop (refract) > Drop (reflect) > Drop (refract) > Eye",
              answer="one path: 4.6 % of the red light"),
        _tool_entry("rank_paths_by_energy_xml", answer="most light goes straight through the drop"),
    )),
    Example("interferometer.json", "Beam splitters and mirrors: how light is divided", (
        _question_entry("share(Port A)", "0.5: rays carry power, no phase"),
        _question_entry("Which beams leave Entrance?", "two, each with half of the power"),
        _tool_entry("detector_xml", "Port A", answer="power 1 of 2"),
    )),
    Example("spectrometer.json", "A spectrometer: grating, colours, sensor", (
        _question_entry("Where does the green light reach Sensor?", "at 40, the middle of the sensor"),
        _question_entry("Which source lights Sensor?", "each lamp with 3.2, a fifth of its light: the grating sends the rest elsewhere"),
        _question_entry("How much light goes through the opening of Stop?", "94 %: 16 of 17 rays of each lamp"),
        _tool_entry("ray_statistics_xml", answer="17 rays of each colour"),
        _tool_entry("query_rays_xml", "select count(*) from rays where depth = 0", answer="51, 17 from each lamp"),
    )),
    Example("newton-telescope.json", "Newton's telescope: parabola and flat mirror", (
        _question_entry("Where is the focus of Primary?", "300 from the mirror, if Diagonal did not turn it aside"),
        _question_entry("width(Field)", "0: a parabola images the axis perfectly"),
        _tool_entry("focus_xml", "Diagonal", answer="the focus is on the field"),
    )),
    Example("ghosts.json", "A camera lens: light reflected twice inside", (
        _question_entry("Which ghosts reach Sensor?", "1.1 % of the light on the sensor, in 37 ways"),
        _tool_entry("find_ghosts_xml", "Sensor", answer="the ways, the strongest first"),
        _tool_entry("check_energy_conservation_xml", answer="none gains power; what is lost is too weak to be traced"),
    )),
    Example("bent-guide.json", "A bent light guide: total reflection", (
        _question_entry("share(Exit)", "1: nothing leaks at the bend"),
        _tool_entry("detect_tir_traps_xml", answer="rays that are totally reflected several times"),
        _tool_entry("tir_analysis_xml", "Guide", answer="critical angle 42.2°, asin(1 / 1.49)"),
        _tool_entry("find_rays_near_critical_angle_xml", "5", answer="none leaves the guide at its sides"),
    )),
    Example("graded-index.json", "Graded index: Luneburg's lens and a rod", (
        _question_entry("focus_x(Luneburg)", "100, on its rim"),
        _question_entry("Which rays are inside Rod?", "one for each ray of the beam"),
    )),
    Example("solar-trough.json", "A solar trough: how well it must follow the sun", (
        _question_entry("share(Pipe)", "1, while it points at the sun"),
        Question(("sweep", "SCENE", "Sun.angle=0..4:5", "--measure", "share(Pipe)"),
                 "all up to 2°, then only what falls on the pipe directly"),
        Question(("tolerance", "SCENE", "--vary", "Trough.angle±1.5", "--measure", "share(Pipe)", "--limit", "share(Pipe) > 0.99"),
                 "98 %: only beyond 1.3° light misses the pipe"),
    )),
    Example("whispering-vault.json", "A whispering vault: from focus to focus", (
        _question_entry("share(Ear)", "1: every path from one focus leads to the other"),
        _tool_entry("find_rays_through_region_xml", "70", "-10", "20", "20", answer="all rays that the vault reflects"),
        _tool_entry("find_nearest_ray_xml", "80", "0", answer="at distance 2, on the ear"),
    )),
    Example("lens-array.json", "A lens array: one module, many lenses", (
        _question_entry("width(Sensor)", "120: five spots, 30 apart"),
        _tool_entry("find_rays_xml", "hits=Sensor", answer="all that the beam emits"),
    )),
    Example("magnifier.json", "A magnifier: a virtual image", (
        _question_entry("Where is the image of Ant?", "136 in front of the last surface: virtual, upright, 2.27 times as large"),
        _tool_entry("describe_scene_xml", answer="every object with its properties"),
        _tool_entry("describe_edges_xml", "Magnifier", answer="its two faces and rim"),
        _tool_entry("find_rays_crossing_edge_xml", "Magnifier", "W", answer="the rays that enter it"),
        _tool_entry("find_bright_paths_through_edge_xml", "Magnifier", "W", answer="Ant, Magnifier, out"),
        _tool_entry("find_rays_by_angle_to_edge_xml", "Magnifier", "W", "0", "10", answer="those that enter nearly along the normal"),
    )),
    Example("coin-in-water.json", "A coin in water: apparent depth", (
        _question_entry("Where is the image of Coin?", "75 below the surface, though it lies at 100: 100 / n"),
        _tool_entry("fresnel_xml", "n1=1.3333333", "n2=1", "angle=0", answer="2 % are reflected"),
    )),
    Example("dichroic.json", "A dichroic mirror and a custom surface", (
        _question_entry("What share of the red light reaches Red screen?", "all of it"),
        _question_entry("Where does the light go?", "half of it to each screen"),
        _tool_entry("find_rays_by_polarization_xml", "0.5", answer="none: no glass polarises"),
        _tool_entry("ray_path_xml", "r1-0", answer="the path of the first ray"),
    )),
    Example("studies/minimum-deviation.json", "Study: a prism at minimum deviation", (
        _question_entry("By how much does Prism deviate the light?", "by 47.1°, clockwise, as it stands"),
        Question(("optimise", "SCENE", "--vary", "Prism.angle=-40..10", "--goal", "least deviation(Prism)"),
                 "-18.6°: light passes symmetrically"),
    )),
    Example("studies/achromat.raybench", "Study: an achromat of two glasses", (
        _question_entry("Where is the focus of Flint?", "at 146.3 for red light, at 145.7 for blue"),
        _question_entry("Which bodies are inside which?", "none: the lenses touch"),
        Question(("optimise", "SCENE", "--vary", "Crown.params.r2=-150..-40", "--vary", "Flint.params.r2=-2000..-90", "--link",
                  "Flint.params.r1 = Crown.params.r2", "--goal", "focus(Flint, Blue) = 150", "--goal", "focus(Flint, Red) = 150"),
                 "150 for both colours"),
    )),
    Example("studies/best-form.json", "Study: the best form of a lens", (
        _question_entry("How large is the spot of Lens?", "RMS 0.0247, for equal radii"),
        Question(("optimise", "SCENE", "--vary", "Lens.params.r1=52..140", "--link", "Lens.params.r2 = 1/(1/Lens.params.r1 - 1/50)",
                  "--goal",
                  "least spot_rms(Lens)"),
                 "shape factor 0.71, nearly"),
    )),
    Example("studies/telescope.json", "Study: a telescope, focused to infinity", (
        _question_entry("Where is the exit pupil of Eyepiece?", "63.9 behind it, 22.2 wide: the image of Objective"),
        Question(("optimise", "SCENE", "--vary", "Eyepiece.x=-40..60", "--goal", "least divergence(Eyepiece)"), "20: lenses at f1 + f2"),
    )),
    Example("studies/brewster-window.json", "Study: a window at Brewster's angle", (
        _question_entry("What is the Brewster angle of Window?", "56.3°, atan 1.5"),
        Question(("optimise", "SCENE", "--vary", "Window.angle=20..70", "--goal", "most power_p(Behind)"), "56.3°, atan 1.5"),
    )),
    Example("studies/light-guide.json", "Study: a lamp and a light guide", (
        _question_entry("Where does light leak?", "between Lens and Guide: the spot is larger than the face"),
        _question_entry("Has the power at Exit converged?", "not quite: twice the rays give 3.7 % more"),
        Question(("sweep", "SCENE", "Lens.x=-30..120:7", "--measure", "power(Exit)"),
                 "most at -30 and 95, near the two places at which the lens images the lamp onto the face"),
    )),
    Example("studies/periscope.json", "Study: how well a periscope must be mounted", (
        _question_entry("In which direction does light leave Lower?", "0°, as it came"),
        Question(("tolerance", "SCENE", "--vary", "Upper.angle±0.1", "--vary", "Lower.angle±0.1", "--measure", "direction(Lower)"),
                 "twice the error of each mirror"),
    )),
)  # fmt: skip
"""All examples, in the order of the menu."""

_HEAD = """\
# Examples

## Open an example

The scenes are in “Open example” in the menu File, and with pictures in “Welcome” in the menu Help. Commands take their names, such as
`example:rainbow`. A question after `raybench ask` can be typed into the chat, a tool's name after a slash.
"""


def named_examples() -> dict[str, Traversable]:
    """The scenes by the names by which commands take them. ``example:prism`` is that of the first
    window.
    """
    return {f"{PREFIX}prism": FIRST, **{example.name: example.path for example in EXAMPLES}}


def guide() -> str:
    """The help page as Markdown."""
    parts = [_HEAD]
    for example in EXAMPLES:
        parts.append(f"\n## {example.title}\n\n")
        parts += [f"- `{command_line(example, q)}`: {q.answer}\n" for q in example.questions]
    return "".join(parts)


def command_line(example: Example, question: Question) -> str:
    """The command that answers a question, as it is typed."""
    return (
        "raybench"
        f" {' '.join(_quote_word(example.name if word == 'SCENE' else word) for word in question.command)}"
    )


def _quote_word(word: str) -> str:
    plain = all(letter.isalnum() or letter in "-_./=:" for letter in word)
    return word if plain else f"'{word}'"
