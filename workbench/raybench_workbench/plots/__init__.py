"""The plot panel: the light at a detector as curves, and the way of power as a flow."""
