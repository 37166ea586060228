"""Picture tests for any PySide6 application: exact comparison, a report of the differences for each
widget, and expected pictures for each version of Qt. See README.md.
"""
