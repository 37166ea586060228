"""Drawings, SVG and DXF, as objects of a scene. The libraries that read them are the extra
`import`, loaded when needed.
"""
