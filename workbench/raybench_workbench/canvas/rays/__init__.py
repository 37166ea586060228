"""The image of rays: drawings of a trace, how they are coloured, and the backdrop that shows
them.
"""
