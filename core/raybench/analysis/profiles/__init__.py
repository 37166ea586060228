"""Light as curves and flows: the spot along an axis, and the flow of power."""
