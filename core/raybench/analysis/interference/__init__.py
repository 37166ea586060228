"""Interference: wavefronts made of neighbouring rays, and the fringes where they meet."""
