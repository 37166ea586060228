"""A demonstration without a display, a network or a key: open and trace a scene, ask about its rays
and highlight the answer.
"""

from __future__ import annotations

from pathlib import Path

from raybench.analysis.answers.words import counted
from raybench.errors import RaybenchError
from raybench.files.atomic import write_text
from raybench.trace.results.ray_set import RaySet


def tour(source: Path | str | None, out: Path) -> None:
    """Write ``tour.png``, the window with an answer's rays highlighted, and ``tour.md``, the
    conversation, into ``out``; print each step.

    ``source`` is a scene file or a link, None the example. Raises RaybenchError if it cannot be
    read or traced, or ``out`` not written.
    """
    from raybench.agent.models.suggestions import questions
    from raybench_workbench.chat.dock import ChatDock
    from raybench_workbench.export.picture_files import save_picture
    from raybench_workbench.shot import offscreen_window, picture, settle, wait_until

    with offscreen_window(source) as window:
        document, chat = window.document, window.chat_dock
        assert isinstance(chat, ChatDock)
        name = (
            "the example"
            if source is None
            else Path(source).name
            if document.session.path
            else "the scene"
        )
        _print_step(
            "opened",
            f"{name}: {len(document.scene.objects)} objects"
            + (f", “{document.scene.name}”" if document.scene.name else ""),
        )
        wait_until(lambda: window.service.awaits_kernels or not window.service.waiting)
        if window.service.awaits_kernels:
            _print_step(
                "compiling",
                "the tracing kernels, in the background, for about a minute; only the first start"
                " does this",
            )
        settle(window, compiled=False)
        result = document.session.fresh_result
        if result is not None:
            _print_step(
                "traced",
                f"{counted(len(result))} segments, {result.milliseconds:.1f} ms,"
                f" {result.completion.text}",
            )
        elif document.scene.objects:
            raise RaybenchError(
                f"{name} could not be traced. {window.messages.error.label.full_text}".strip()
            )
        else:
            _print_step("traced", "nothing: the scene is empty")
        chat.connect_model(None)
        lit: RaySet | None = None
        for question in questions(document.document):
            chat.ask(question)
            wait_until(lambda: not chat.busy)
            turn = chat.exchanges[-1].turn
            _print_step("asked", question)
            _print_step("answered", turn.error or turn.answer.split("\n")[0])
            lit = document.session.view.highlight
            if lit is not None and len(lit):
                break  # if no ray matches, ask the next question
        settle(window, compiled=False)
        if lit is not None and result is not None:
            _print_step(
                "lit",
                f"{counted(len(lit))} of {counted(len(result))} segments ({lit.name}:"
                f" {lit.question})",
            )
        out.mkdir(parents=True, exist_ok=True)
        image, text = out / "tour.png", out / "tour.md"
        save_picture(picture(window), image)
        write_text(text, chat.transcript(f"A tour of {document.scene.name or name}"))
        _print_step("wrote", f"{image} and {text}")


def _print_step(what: str, text: str) -> None:
    print(f"{what:9} {text}", flush=True)
