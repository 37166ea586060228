"""Tools that change the scene, or try changes on a copy."""
