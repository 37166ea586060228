"""Tools that change the scene, or try a change on a copy."""
