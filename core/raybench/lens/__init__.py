"""Lens systems: prescriptions, their tracing, aberrations and files."""
