"""The textbook: pure functions of optics. Those the kernels use are plain scalar functions that numba compiles."""
