"""How kernels are compiled, where they are kept, and the intrinsics that they use."""
