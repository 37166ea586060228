"""Picture tests of any PySide6 application: exact comparison, what differs widget by widget,
pictures per version of Qt. See README.md.
"""
