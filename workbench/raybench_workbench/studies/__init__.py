"""The study panel: sweeps, optimisation and tolerances in the window."""
