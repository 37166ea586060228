"""What the person at the window does about other programs: lets them connect, and copies what their
configuration needs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from raybench_workbench.mcp.address import bridge_configuration

if TYPE_CHECKING:
    from raybench_workbench.main_window import MainWindow


def toggle(window: MainWindow) -> None:
    """Let programs connect, or close their connections."""
    programs = window.chat_dock.programs
    programs.allow(not programs.allowed)


def copy_bridge(window: MainWindow) -> None:
    """Copy the entry of a client's configuration that finds the window itself."""
    QApplication.clipboard().setText(bridge_configuration())


def copy_address(window: MainWindow) -> None:
    """Copy the entry of a client's configuration with the address and the token of this run."""
    address = window.chat_dock.programs.address
    if address is not None:
        QApplication.clipboard().setText(address.configuration())
