"""The tools over the Model Context Protocol. The package ``mcp`` is an extra, and imported only by
modules that need it.
"""
