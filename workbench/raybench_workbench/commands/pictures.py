"""The commands that show the window or make its picture: opening it, ``raybench tour`` and
``raybench shot``.
"""

import argparse
import dataclasses
import os
import sys
from pathlib import Path

from raybench.errors import RaybenchError
from raybench.files.shared import read_shared
from raybench.view import View
from raybench_workbench.commands.terminal import load_compiled_kernels, make_folder
from raybench_workbench.display import display_problem, paint_offscreen
from raybench_workbench.translation import use_language


def open_window(options: argparse.Namespace) -> int:
    """Open the window with files and links, or the example scene. A program that runs opens them in
    its tabs. Without a display, run the tour instead.
    """
    displays = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    if sys.platform not in ("win32", "darwin") and not any(map(os.environ.get, displays)):
        print("There is no display, so this is a tour without a window.")
        options.out = Path(".")
        take_tour(options)
        return 0
    if problem := display_problem():
        raise RaybenchError(f"No window can be opened. {problem} raybench tour needs none.")
    from raybench_workbench.app import run_application
    from raybench_workbench.running_program import hand_over_file

    left = [file for file in options.files if options.new or not hand_over_file(file)]
    for file in options.files:
        if file not in left:
            print(f"{file} is opened in the window that is open.")
    return run_application(left) if left or not options.files else 0


def take_screenshot(options: argparse.Namespace) -> None:
    """Write a picture of the window with a scene, in which the rays that a tool finds are
    highlighted.
    """
    use_language(options.language)  # before modules with texts are imported
    paint_offscreen()
    rays, summary = None, ""
    if options.tool is not None:
        from raybench.analysis.answers.words import ray_count_text
        from raybench_workbench.commands.questions import rays_from_options

        rays, sentence = rays_from_options(options)
        count = "no rays" if rays is None else ray_count_text(len(rays))
        summary = f", {count} lit: {sentence}"
    from raybench_workbench.shot import save_screenshot

    load_compiled_kernels()
    width, height = save_screenshot(
        options.scene,
        options.out,
        options.size,
        options.theme,
        options.canvas,
        rays,
        refine=options.refine or 0.0,
    )
    print(f"{options.out}: {width} x {height} pixels{summary}")


def write_film(options: argparse.Namespace) -> None:
    """Write a film of a scene while one or two parameters go through their values. Raises
    RaybenchError.
    """
    paint_offscreen()
    from raybench.study.request import read_changes
    from raybench.study.sweep import Sweep
    from raybench.study.table import build_table
    from raybench_workbench.app import make_application
    from raybench_workbench.commands.studies import executor_from_options, print_progress
    from raybench_workbench.figure import saved_rectangle
    from raybench_workbench.film import Film, check_film_file, film_writer
    from raybench_workbench.theme import THEMES

    check_film_file(options.out)
    shared = read_shared(options.scene)
    document = shared.document
    sweep = Sweep.build(
        document,
        options.axes,
        options.measure or ["escaped()"],  # it needs one
        options.max_segments,
        options.link,
        read_changes(options.change, document),
    )
    experiment, rows = sweep.experiment, []
    if options.measure:
        with executor_from_options(options) as executor:
            rows = [(p.values, p.measures) for p in sweep.run(executor, options.threads)]
    else:
        experiment = dataclasses.replace(experiment, measures=())
        rows = [(values, ()) for values in sweep.points]
    load_compiled_kernels()
    app = make_application(options.theme)
    film = Film(
        experiment,
        [values for values, _ in rows],
        build_table(experiment, rows),
        len(sweep.axes) if options.measure else None,
        THEMES[options.theme],
        options.size,
        View(camera=saved_rectangle(document) if options.area == "view" else None),
        options.speed,
        returns=options.repeat == "back",
        loops=options.repeat != "once",
        folder=shared.path.parent if shared.path is not None else None,
    )
    files = film_writer(film, options.out)(lambda done: print_progress(f"{done:.0%}"))
    del app
    width, height = options.size
    name = options.out if len(files) == 1 else f"{files[0]} to {files[-1]}"
    print(f"{name}: {len(rows)} frames of {width} x {height} pixels")


def take_tour(options: argparse.Namespace) -> None:
    """Demonstrate the program without a display, a network or a model's key."""
    paint_offscreen()
    make_folder(options.out, "--out")
    write_tour(options.file, options.out)


def write_tour(source: Path | str | None, out: Path) -> None:
    """Write a demonstration into the folder ``out``: ``tour.png``, the window with the highlighted
    rays of an answer, and ``tour.md``, the conversation. Each step is printed.

    ``source`` is a scene file or a link, None the example. Raises RaybenchError if it cannot be
    read or traced, or ``out`` not written.
    """
    from raybench.agent.questions.starters import starter_questions
    from raybench.analysis.answers.words import grouped_digits
    from raybench.files.atomic import write_text
    from raybench_workbench.export.picture_files import save_picture
    from raybench_workbench.shot import (
        offscreen_window,
        wait_until,
        wait_until_settled,
        widget_picture,
    )

    with offscreen_window(source) as window:
        document, chat = window.document, window.chat_dock
        scene = document.scene
        file = "the scene" if document.session.path is None else Path(source or "").name
        name = "the example" if source is None else file
        titled = f", “{scene.name}”" if scene.name else ""
        _print_step("opened", f"{name}: {len(scene.objects)} objects{titled}")
        wait_until(lambda: window.service.awaits_kernels or not window.service.awaits_trace)
        if window.service.awaits_kernels:
            _print_step(
                "compiling",
                "the tracing kernels, in the background, for about a minute; only the first start"
                " does this",
            )
        wait_until_settled(window, compiled=False)
        result = document.session.fresh_result
        if result is not None:
            segments = grouped_digits(len(result))
            took = f"{result.milliseconds:.1f} ms, {result.completion.text}"
            _print_step("traced", f"{segments} segments, {took}")
        elif scene.objects:
            raise RaybenchError(
                f"{name} could not be traced. {window.messages.error.label.full_text}".strip()
            )
        else:
            _print_step("traced", "nothing: the scene is empty")
        chat.connect_model(None)
        lit = None
        for question in starter_questions(document.document):
            chat.ask(question)
            wait_until(lambda: not chat.busy)
            turn = chat.exchanges[-1].turn
            _print_step("asked", question)
            _print_step("answered", turn.error or turn.answer.split("\n")[0])
            lit = document.session.view.highlight
            if lit is not None and len(lit):
                break  # if no ray matches, ask the next question
        wait_until_settled(window, compiled=False)
        if lit is not None and result is not None:
            count = f"{grouped_digits(len(lit))} of {grouped_digits(len(result))} segments"
            _print_step("lit", f"{count} ({lit.name}: {lit.question})")
        out.mkdir(parents=True, exist_ok=True)
        image, text = out / "tour.png", out / "tour.md"
        save_picture(widget_picture(window), image)
        write_text(text, chat.transcript_markdown(f"A tour of {scene.name or name}"))
        _print_step("wrote", f"{image} and {text}")


def _print_step(title: str, text: str) -> None:
    print(f"{title:9} {text}", flush=True)
