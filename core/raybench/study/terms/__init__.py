"""The terms that studies are written in: parameters, links, axes, bounds, goals and deviations,
each read from a text.
"""
