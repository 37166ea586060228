"""Pure functions for the laws of optics. Those used by kernels are scalar functions that numba can
compile.
"""
