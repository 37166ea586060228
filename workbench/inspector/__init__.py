"""The inspector of rays and objects, and the plot of a detector."""
