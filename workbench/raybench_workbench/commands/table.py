"""The table of all commands: what each does, its arguments, and the name of the function that runs
it. The module does not import these functions.
"""

import argparse
import gc
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from raybench.agent.models.known_servers import KNOWN_SERVERS
from raybench.files.drawings import DEFAULT_TOLERANCE, KINDS
from raybench.scene import LENGTH_UNITS
from raybench.scene.pages import PAGES
from raybench.trace.limits import DEFAULT_LIMIT
from raybench_workbench.export import MAX_SIDE, MIN_SIDE
from raybench_workbench.mcp.clients import CLIENTS
from raybench_workbench.translation import ENGLISH, LANGUAGES

SCENE_HELP = (
    "a .json scene, a .raybench document, a link to a scene, a text file that holds a link or"
    " pasted JSON, or an example (example:rainbow)"
)
THEMES = ("light", "dark", "paper")
"""As `raybench_workbench.theme.THEMES`, which needs Qt."""
PROJECT_SCENES = ("scene.raybench", "scene.json")
"""File names of a project's own scene."""
Argument = tuple[str, Mapping[str, Any]]
"""The name of an argument of a command, and what argparse is told of it."""


def argument(name: str, about: str, metavar: str | None = None, **keywords: Any) -> Argument:
    """A command-line argument with a line of help. An option that takes no value is a flag."""
    if name.startswith("--") and metavar is None and "choices" not in keywords:
        return name, {"action": "store_true", "help": about, **keywords}
    return name, {"help": about, "metavar": metavar, **keywords}


@dataclass(frozen=True)
class Command:
    """A command: a short description, its arguments, and the module and name of the function that
    runs it. The function returns the exit status, None for 0. Of the arguments in ``exclusive``,
    exactly one is given.
    """

    about: str
    module: str
    function: str
    arguments: tuple[Argument, ...]
    exclusive: bool = False

    def run(self, options: argparse.Namespace) -> int | None:
        """Import the command's function and call it with the options."""
        module = import_module(f"raybench_workbench.commands.{self.module}")
        if not gc.isenabled():  # while modules were imported
            gc.freeze()
            gc.enable()
        status: int | None = getattr(module, self.function)(options)
        return status


def parse_positive_integer(text: str) -> int:
    """The whole number above 0 that a text denotes."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number above 0")
    return number


def parse_pixel_size(text: str) -> tuple[int, int]:
    """The width and height in pixels from a text such as 1280x800."""
    match = re.fullmatch(r"(\d+)x(\d+)", text)
    if match is None:
        raise argparse.ArgumentTypeError(f"'{text}' is not a size such as 1280x800")
    width, height = int(match[1]), int(match[2])
    if not (MIN_SIDE <= width <= MAX_SIDE and MIN_SIDE <= height <= MAX_SIDE):
        raise argparse.ArgumentTypeError(
            f"'{text}' is outside of {MIN_SIDE}x{MIN_SIDE} to {MAX_SIDE}x{MAX_SIDE}"
        )
    return width, height


def _parse_figure_size(text: str) -> tuple[int, int] | float:
    """The size of a figure: a size in pixels, or a width on paper in millimetres."""
    match = re.fullmatch(r"(\d+(?:\.\d*)?) ?(mm|cm|in)", text)
    if match is None:
        try:
            return parse_pixel_size(text)
        except argparse.ArgumentTypeError as error:
            raise argparse.ArgumentTypeError(f"{error}, or a width on paper such as 85mm") from None
    millimetres = float(match[1]) * {"mm": 1.0, "cm": 10.0, "in": 25.4}[match[2]]
    if not 10 <= millimetres <= 1000:
        raise argparse.ArgumentTypeError(f"'{text}' is outside of 10 mm to 1000 mm")
    return millimetres


def _parse_figure_scale(text: str) -> float:
    try:
        scale = float(text)
    except ValueError:
        scale = 0.0
    if not 0.1 <= scale <= 16:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 0.1 to 16")
    return scale


def _parse_fraction(text: str) -> float:
    try:
        part = float(text)
    except ValueError:
        part = 0.0
    if not 0 < part < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number between 0 and 1")
    return part


def _parse_speed(text: str) -> float:
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    if not 1 <= speed <= 50:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 1 to 50")
    return speed


def _nonempty_question(text: str) -> str:
    if not text.strip():
        raise argparse.ArgumentTypeError("the question is empty")
    return text


def _parse_server_address(text: str) -> str:
    """The address of a server. An empty text is refused, since it may come from a variable that is
    not set, and another server would be used instead.
    """
    if not text.strip():
        raise argparse.ArgumentTypeError(
            "the address is empty. Give one such as http://localhost:8080, or leave the option out"
        )
    return text


def _parse_project_folder(text: str) -> Path:
    """The folder of a project from its name on the command line: a path, or ``example:project`` for
    the bundled project.
    """
    from raybench.files.examples import EXAMPLE_PROJECT

    name, folder = EXAMPLE_PROJECT
    return Path(str(folder)) if text == name else Path(text)


def _repeated_option(name: str, about: str, metavar: str, **keywords: Any) -> Argument:
    """An option that may be given several times."""
    return argument(name, about, metavar, action="append", **{"default": [], **keywords})


def _limit_option(what: str = "the trace") -> Argument:
    """The option that limits the number of segments of a trace."""
    about = f"stop {what} after N segments"
    return argument(
        "--max-segments", about, "N", type=parse_positive_integer, default=DEFAULT_LIMIT
    )


_MODEL = (
    argument(
        "--model",
        "the model to ask; the key comes from the environment variable of its server, such as"
        " ANTHROPIC_API_KEY. scripted:FILE replays replies",
        "M",
    ),
    argument(
        "--server",
        "the server of the model by its name; raybench models lists the names",
        "NAME",
        choices=[server.name for server in KNOWN_SERVERS],
    ),
    argument(
        "--base-url",
        "the address of another server with the Messages API or chat completions",
        "U",
        type=_parse_server_address,
    ),
    argument(
        "--protocol",
        "how the model calls tools: tools is its own tool use (default), or text where the"
        " server refuses that; text is text from the start, with calls as JSON",
        choices=("tools", "text"),
        default="tools",
    ),
    argument("--offline", "answer without a model"),
)


def _model_options(
    profile: str = "read-only", where: str = "at the terminal"
) -> tuple[Argument, ...]:
    """The options for the model and for approvals. ``profile`` is the default approval profile;
    ``where`` says in the help text where the user is asked.
    """
    return (
        *_MODEL,
        argument(
            "--profile",
            f"read-only refuses all but reading, ask asks about the rest {where}, auto makes edits"
            " of the scene without asking; calls that reach outside the scene or cannot be undone"
            f" need --allow, or ask; {profile} by default",
            choices=("read-only", "ask", "auto"),
            default=profile,
        ),
        _repeated_option("--allow", "allow one tool without asking; may be repeated", "NAME"),
    )


_MAX_STEPS = argument(
    "--max-steps",
    "the most replies of the model to one question; 8 by default",
    "N",
    type=parse_positive_integer,
)
FILE_ARGUMENT = argument("file", SCENE_HELP, "FILE", nargs="?")
FILES_ARGUMENT = argument("files", SCENE_HELP, "FILE", nargs="*")
NEW_OPTION = argument("--new", "open the files in a new program, also if one runs")
_SCENE = argument("scene", SCENE_HELP, "SCENE")
_SAVE = argument("--save", "write the document here afterwards", "FILE", type=Path)
_TRUST = argument(
    "--trust", "trust the current version of the folder's tools.py, which runs as a program"
)
_PROJECT = (
    argument(
        "--project",
        "a project folder, whose tools.py and *.worker files add tools",
        "FOLDER",
        type=_parse_project_folder,
    ),
    _TRUST,
)
_STUDY = (
    _repeated_option(
        "--link",
        "a parameter that follows others, such as 'Lens 2.x = Lens 1.x + 40'; may be repeated",
        "'PARAMETER = FORMULA'",
    ),
    _repeated_option(
        "--change",
        'changes that are made first, as JSON, such as \'{"set": "Lens", "focalLength": 80}\';'
        " may be repeated",
        "JSON",
    ),
    argument(
        "--threads",
        "threads to compute with; all processors by default",
        "N",
        type=parse_positive_integer,
    ),
    argument(
        "--cluster",
        "compute on a Dask cluster, such as tcp://host:8786 (extra 'cluster')",
        "ADDRESS",
    ),
    _limit_option("each trace"),
)
_COLUMN = _repeated_option(
    "--column", "also write this column to a .csv file, such as opl, the optical path", "NAME"
)
_TRACE = (
    argument("scenes", SCENE_HELP, "SCENE", nargs="+"),
    argument("--out", "where DIR/<scene>.npz goes", "DIR", type=Path, required=True),
    argument("--csv", "also write DIR/<scene>.csv: one line per segment, units in the headings"),
    _COLUMN,
    argument("--xml", "also write DIR/<scene>.xml, with rays as in the tools' answers"),
    argument(
        "--threads",
        "threads to trace with; all processors by default",
        "N",
        type=parse_positive_integer,
    ),
    _limit_option("each scene"),
)
_TOOL = (
    argument(
        "scene", f"{SCENE_HELP}; may be left out for tools that need no scene", "SCENE", nargs="?"
    ),
    argument("name", "the tool's name, see --list", "NAME", nargs="?"),
    argument("arguments", "the tool's arguments in order, or as name=value", "ARG", nargs="*"),
    argument("--json", "arguments by name", "'{\"arg\": value}'", dest="named"),
    argument("--list", "list the tools with their signatures"),
    argument("--schema", "list the tools with their schemas, as JSON"),
    *_PROJECT,
    argument("--preview", "print exactly what a model would read of the answer"),
    _limit_option(),
)
_ASK = (
    _SCENE,
    argument(
        "text",
        "a question in words, or a tool as in '/find_rays_inside_glass_xml Prism'",
        "TEXT",
        type=_nonempty_question,
    ),
    _repeated_option("--attach", "a picture for the model; may be repeated", "FILE", type=Path),
    *_model_options(),
    argument(
        "--tools",
        "the tools that the model is offered, and the words of the request: usual, or small for a"
        " small model; it may call the others, too",
        choices=("usual", "small"),
        default="usual",
    ),
    *_PROJECT,
    _MAX_STEPS,
    _SAVE,
    _limit_option(),
    argument("--json", "print answer, tool calls, ray sets and usage as JSON"),
)
_RUN = (
    argument(
        "folder",
        "a folder with tools.py, *.worker files, or both",
        "FOLDER",
        type=_parse_project_folder,
    ),
    argument("text", "the input, as text", "INPUT", nargs="?"),
    argument("--tool", "the tool to run; main by default", "NAME", default="main"),
    argument("--input", "the input as JSON, or as a file that holds JSON or text", "JSON|PATH"),
    argument(
        "--scene",
        f"the scene to use; by default the folder's {' or '.join(PROJECT_SCENES)}",
        "FILE",
    ),
    argument("--attachments", "files for the tool", "PATH", nargs="+", type=Path, default=[]),
    *_model_options(),
    _TRUST,
    _SAVE,
    argument("--json", "print output, tool calls, ray sets and usage as JSON"),
)
_REFINE = argument(
    "--refine",
    "add draws to the light of a .png until the error of the picture is this part of its brightness,"
    " such as 0.01; for colour modes other than the default",
    "PART",
    type=_parse_fraction,
)
_EXPORT = (
    _SCENE,
    argument(
        "out",
        "output file; its suffix .png, .svg, .pdf, .csv, .npz, .xml, .json or .raybench selects the format",
        "OUT",
        type=Path,
    ),
    argument(
        "--size",
        "size of a figure in pixels, or its width on paper in mm, cm or in; by default the"
        " aspect ratio of its area",
        "WxH|85mm",
        type=_parse_figure_size,
    ),
    argument(
        "--scale",
        "pixels per line width: larger lines and texts; 1 by default, 3.125 (300 to the inch)"
        " in a picture with a width on paper",
        "N",
        type=_parse_figure_scale,
    ),
    argument("--theme", "colours of a figure; paper by default", choices=THEMES),
    argument(
        "--area",
        "what a figure shows: the scene's own view, all of the scene (default), or its crop box",
        choices=("view", "scene", "crop"),
    ),
    argument("--transparent", "no background"),
    _REFINE,
    argument("--scale-bar", "a bar that shows the scale"),
    argument("--sheet", "a page with a title block for a figure", choices=PAGES),
    argument(
        "--drawing-scale",
        "scale on a sheet: such as 1:2, fit (default on slides), or round (default on pages), the"
        " largest of 1:1, 1:2, 1:5 ... that fits",
        "1:N",
    ),
    argument("--title", "title of a sheet; the scene's name by default", "TEXT"),
    argument("--author", "author of a sheet", "TEXT"),
    argument("--caption", "text below the figure of a sheet", "TEXT"),
    argument("--date", "date of a sheet; today by default", "TEXT"),
    argument("--margin", "margin of a sheet in mm; 10 by default", "MM", type=float),
    argument(
        "--tool",
        "highlight the rays this tool returns in a figure, or write only those",
        "'NAME ARGS'",
    ),
    _COLUMN,
    *_PROJECT,
    _limit_option(),
)
_GLASSES = (
    _repeated_option(
        "--glass",
        "a glass for a name of a lens file that the catalogue does not have, such as BK7=N-BK7 or"
        " S-TIM2=1.6200/36.3; may be repeated",
        "NAME=GLASS",
    ),
    _repeated_option(
        "--catalogue", "a file of glasses (.agf) for such names; may be repeated", "FILE", type=Path
    ),
)
_IMPORT = (
    argument("drawing", "an .svg or .dxf drawing, or a .zmx, .seq or .len lens", "FILE", type=Path),
    argument(
        "--as",
        "what its outlines become; glass by default",
        dest="as_",
        choices=KINDS,
        default="glass",
    ),
    argument(
        "--scale", "factor to the drawing's own size; 1 by default", "S", type=float, default=1.0
    ),
    argument(
        "--unit", "length unit of the scene; mm by default", choices=LENGTH_UNITS, default="mm"
    ),
    argument(
        "--tolerance",
        f"largest distance of flattened curves, in that unit; {DEFAULT_TOLERANCE} by default",
        "T",
        type=float,
        default=DEFAULT_TOLERANCE,
    ),
    *_GLASSES,
    argument("--out", "the scene to write, .json or .raybench", "SCENE", type=Path, required=True),
)
_LENS = (
    argument("lens", "a .zmx, .seq or .len file, or a scene with a lens system", "FILE", type=Path),
    argument(
        "--lens", "the lens system of the scene, if it has several", "NAME", dest="name", default=""
    ),
    *_GLASSES,
    argument("--mtf", "with the modulation at NU lines per unit of length", "NU", type=float),
    argument("--json", "print the report as JSON"),
    argument(
        "--figure",
        "write a plot instead, to --out (.svg, .pdf, .png or .csv): overview, ray_fan, mtf or"
        " another, which a wrong name lists",
        "NAME",
    ),
    argument(
        "--size", "size of a figure in pixels, 900x560 by default", "WxH", type=parse_pixel_size
    ),
    argument("--theme", "colours of a figure; paper by default", choices=THEMES),
    argument("--out", "write the lens as .zmx, .seq or .len instead", "FILE", type=Path),
)
_COATING = (
    argument(
        "coating",
        "a coating of the catalogue, or JSON as change_scene takes it; without it, the catalogue",
        "COATING",
        nargs="?",
    ),
    argument(
        "--angle", "angle of incidence in degrees; 0 by default", "DEG", type=float, default=0.0
    ),
    argument("--wavelength", "in nm; that of its design, or 550, by default", "NM", type=float),
    argument("--index", "index of the coated body; 1.52 by default", "N", type=float, default=1.52),
    argument("--outside", "index outside; 1 by default", "N", type=float, default=1.0),
    argument("--from-body", "light comes from the body"),
    argument(
        "--size", "size of a plot in pixels, 900x560 by default", "WxH", type=parse_pixel_size
    ),
    argument("--theme", "colours of a plot; paper by default", choices=THEMES),
    argument(
        "--out", "write the plot as .svg, .pdf or .png, or its numbers as .csv", "FILE", type=Path
    ),
)
_SWEEP = (
    _SCENE,
    argument(
        "axes",
        "a parameter and its values: Prism.angle=-20..20:81, Lens.x=0..5mm:11,"
        " Lens.focalLength=10..1000:5 log, Wedge.refIndex=1.5,1.6, choices:"
        " 'Lens.material=N-BK7|N-SF11'; one or two of them",
        "PARAMETER=VALUES",
        nargs="+",
    ),
    _repeated_option(
        "--measure", "a measure such as power(Screen); may be repeated", "EXPR", required=True
    ),
    argument("--out", "write the table as .csv, .npz or .json", "FILE", type=Path),
    argument(
        "--refine",
        "put up to N more values where a measure steps; the table is then printed at the end",
        "N",
        type=parse_positive_integer,
    ),
    *_STUDY,
)
_FILM = (
    _SCENE,
    argument(
        "out",
        "output file: .gif, .mp4 (needs ffmpeg), or .png for numbered frames",
        "OUT",
        type=Path,
    ),
    argument(
        "axes",
        "a parameter and its values, as for sweep, such as Prism.angle=-20..20:81",
        "PARAMETER=VALUES",
        nargs="+",
    ),
    _repeated_option(
        "--measure", "a measure whose curve is below the scene, such as power(Screen)", "EXPR"
    ),
    argument("--speed", "frames in a second; 20 by default", "N", type=_parse_speed, default=20.0),
    argument(
        "--repeat",
        "what follows the last frame: the first again (default), the way back, or nothing",
        choices=("loop", "back", "once"),
        default="loop",
    ),
    argument(
        "--size", "in pixels; 960x720 by default", "WxH", type=parse_pixel_size, default=(960, 720)
    ),
    argument("--theme", "colours; paper by default", choices=THEMES, default="paper"),
    argument(
        "--area",
        "what is seen: the scene's own view, or all of the scene (default)",
        choices=("view", "scene"),
        default="scene",
    ),
    *_STUDY,
)
_COMPARE = (
    _SCENE,
    argument("other", "the scene that it is compared with, such as a later version of it", "OTHER"),
    _repeated_option(
        "--measure", "a measure to compare, such as power(Screen); may be repeated", "EXPR"
    ),
    _limit_option(),
    argument("--json", "print the differences as JSON"),
)
_OPTIMISE = (
    _SCENE,
    _repeated_option(
        "--vary",
        "a parameter and its bounds, Lens.x=-50..50, or choices, 'Lens.material=N-BK7|N-SF11',"
        " 'Lens.angle=0|180'; repeat",
        "PARAMETER=LOW..HIGH",
        required=True,
    ),
    _repeated_option(
        "--goal",
        "'least rms(Screen)', 'most power(Screen)', 'deviation(Prism) = 30', 'width(Screen) < 3"
        " mm', 'centroid(Screen) = 0 ± 0.1'; may end with 'weight 2'; repeat",
        "GOAL",
        required=True,
    ),
    _repeated_option("--measure", "what else is told before and after; repeat", "EXPR"),
    argument(
        "--global",
        "search the whole ranges first, not only around the scene as it is",
        dest="whole_range",
    ),
    argument(
        "--any-path",
        "light may take another path than in the present scene, such as a total reflection",
    ),
    argument("--seed", "seed of the global search", "N", type=int, default=0),
    argument(
        "--out", "write the scene with the changes, as .json or .raybench", "SCENE2", type=Path
    ),
    argument("--json", "print the outcome as JSON"),
    *_STUDY,
)
_TOLERANCE = (
    _SCENE,
    _repeated_option(
        "--vary",
        "how far a parameter may be off: 'Lens.x±0.1', 'Lens.focalLength±1%%', 'Prism.angle±0.5"
        " normal'; uniform by default, normal means two standard deviations; +- is the same as"
        " ±; repeat",
        "'PARAMETER±BY'",
        required=True,
    ),
    _repeated_option("--measure", "a measure such as power(Screen); repeat", "EXPR"),
    _repeated_option(
        "--limit",
        "what has to hold: 'rms(Screen) < 0.2', 'focus(Lens) = 99..101'; repeat",
        "LIMIT",
    ),
    _repeated_option(
        "--adjust", "a compensator, adjusted in every sample; repeat", "PARAMETER=LOW..HIGH"
    ),
    _repeated_option("--goal", "what compensators are adjusted for: 'least rms(Screen)'", "GOAL"),
    argument("--samples", "random samples; 200 by default", "N", type=parse_positive_integer),
    argument("--seed", "seed of the random numbers", "N", type=int, default=0),
    argument("--out", "write the samples as .csv, .npz or .json", "FILE", type=Path),
    argument("--worst", "write the three worst samples as scenes", "DIR", type=Path),
    *_STUDY,
)
_ESTIMATE = (
    _SCENE,
    _repeated_option(
        "--measure", "a measure such as power(Screen); may be repeated", "EXPR", required=True
    ),
    argument(
        "--error",
        "end when the standard error of each mean is below this part of it; 0.01 by default",
        "PART",
        type=float,
        default=0.01,
    ),
    argument("--draws", "end after N draws", "N", type=parse_positive_integer),
    argument("--json", "print the means as JSON"),
    *_STUDY[1:],
)
_TOUR = (
    FILE_ARGUMENT,
    argument("--out", "where tour.png and tour.md go", "DIR", type=Path, default=Path(".")),
)
_SHOT = (
    _SCENE,
    argument("out", "where the picture goes", "OUT.png", type=Path),
    argument(
        "--size",
        "in pixels; 1280x800 by default",
        "WxH",
        type=parse_pixel_size,
        default=(1280, 800),
    ),
    argument("--theme", "the window's colours; dark by default", choices=THEMES, default="dark"),
    argument("--language", "of the window; en by default", choices=LANGUAGES, default=ENGLISH),
    argument(
        "--tool", "highlight the rays this tool returns, or that a filter leaves", "'NAME ARGS'"
    ),
    *_PROJECT,
    argument("--canvas", "the canvas alone"),
    _REFINE,
)
_MCP = (
    argument("scene", f"{SCENE_HELP}; without one, an empty scene", "SCENE", nargs="?"),
    argument("--attach", "the scene that is open in a window whose person lets programs connect"),
    argument(
        "--install",
        "enter Raybench into the configuration of a client, after showing it: with SCENE for that"
        " scene, else for the open window",
        choices=CLIENTS,
    ),
    argument("--yes", "write the configuration without asking"),
    *_PROJECT,
    argument("--save", "write the document here after every change", "FILE", type=Path),
    _limit_option("each trace"),
    *_model_options("ask", "in the client"),
)
_MODELS = (
    argument(
        "server",
        "the name of a server, or its address; without it the known servers are listed",
        "SERVER",
        nargs="?",
    ),
)
_VERIFY = (
    argument(
        "cases",
        "scenes of the table, such as snell or ball-lens; all by default",
        "CASE",
        nargs="*",
    ),
    argument("--json", "print the table as JSON, with formulas and their sources"),
    argument("--save", "write the scenes into DIR too, to open them", "DIR", type=Path),
)
_EVAL = (
    argument(
        "bank",
        "a folder with tasks.yaml and scenes; by default the bank that comes with Raybench",
        "BANK",
        nargs="?",
        type=Path,
    ),
    *_MODEL,
    _repeated_option(
        "--only",
        "a task, a theme, a scene, or question, design or impossible; repeat for more",
        "NAME",
    ),
    argument("--list", "list the tasks and ask nothing"),
    argument("--repeat", "put each task N times", "N", type=parse_positive_integer, default=1),
    argument("--jobs", "tasks at the same time", "N", type=parse_positive_integer, default=1),
    _MAX_STEPS,
    argument(
        "--out",
        "add each answer to this file when it is there; what it holds already is not asked again",
        "FILE",
        type=Path,
    ),
    argument("--compare", "compare two such files and ask nothing", "FILE", nargs=2, type=Path),
    argument("--json", "print scores and answers as JSON"),
)
_DESKTOP = (
    argument("--install", "add the menu entry, the icon and the file type for this user"),
    argument("--remove", "remove them"),
)

COMMANDS = {
    "trace": Command(
        "trace scenes and write their segments as npz", "scenes", "trace_scenes", _TRACE
    ),
    "tool": Command("trace a scene and ask one tool about it", "questions", "call_tool", _TOOL),
    "ask": Command("ask the agent one question about a scene", "questions", "ask_agent", _ASK),
    "run": Command(
        "run a project folder's entry tool, code or worker", "questions", "run_project", _RUN
    ),
    "export": Command(
        "write a scene as a figure (png, svg, pdf), its rays as data (csv, npz, xml), or the scene (json, raybench)",
        "scenes",
        "export_scene",
        _EXPORT,
    ),
    "import": Command(
        "make a scene of an SVG or DXF drawing, or of a lens file of Zemax, CODE V or OSLO",
        "scenes",
        "import_drawing",
        _IMPORT,
    ),
    "lens": Command(
        "first order, aberrations and Seidel sums of a lens file or a scene's lens, its plots, or a lens file of it",
        "lenses",
        "report_on_lens",
        _LENS,
    ),
    "coating": Command(
        "what a coating reflects, transmits and absorbs over wavelength and angle, or the catalogue",
        "coatings",
        "report_on_coating",
        _COATING,
    ),
    "sweep": Command(
        "a table of measures over the values of one or two parameters",
        "studies",
        "sweep_parameters",
        _SWEEP,
    ),
    "film": Command(
        "a film of a scene over the values of a parameter, as gif, mp4 or png frames",
        "pictures",
        "write_film",
        _FILM,
    ),
    "compare": Command(
        "what is different in another scene, and what that does to measures",
        "scenes",
        "compare_scenes",
        _COMPARE,
    ),
    "optimise": Command(
        "values of parameters for which goals are met best",
        "studies",
        "optimise_scene",
        _OPTIMISE,
    ),
    "tolerance": Command(
        "how much measures change if parameters deviate, and the yield",
        "studies",
        "analyse_tolerance",
        _TOLERANCE,
    ),
    "estimate": Command(
        "means of measures over draws of a scene, or over more of its rays, with their errors",
        "studies",
        "estimate_measures",
        _ESTIMATE,
    ),
    "tour": Command(
        "demonstrate the program without a display, a network or a key",
        "pictures",
        "take_tour",
        _TOUR,
    ),
    "shot": Command("a picture of the window on a scene", "pictures", "take_screenshot", _SHOT),
    "mcp": Command(
        "serve the tools to another program over the Model Context Protocol",
        "mcp",
        "serve_tools",
        _MCP,
    ),
    "models": Command(
        "list the models of a server, or the servers that are known by name",
        "models",
        "list_models",
        _MODELS,
    ),
    "verify": Command(
        "compute closed forms of optics and compare them with the exact values",
        "scenes",
        "verify_cases",
        _VERIFY,
    ),
    "eval": Command(
        "put a bank of questions and design tasks to a model, and score its answers",
        "evaluation",
        "evaluate_model",
        _EVAL,
    ),
    "desktop": Command(
        "add Raybench to the menu of a Linux desktop, with its file type, or remove it",
        "desktop",
        "change_desktop_entry",
        _DESKTOP,
        exclusive=True,
    ),
}
"""All commands, by name, as they are listed."""
