"""The plot panel: the light at a detector, the power flow, a measure over changes, and the
aberrations of lenses.
"""
