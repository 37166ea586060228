"""Closed forms of optics, computed on this machine and compared with the exact values."""
