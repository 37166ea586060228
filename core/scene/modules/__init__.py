"""Modules: templates with parameters, and the objects that their instances stand for."""
