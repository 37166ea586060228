"""The Qt application and the command line."""
