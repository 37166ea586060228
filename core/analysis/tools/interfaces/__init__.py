"""Questions about reflection and refraction at interfaces."""
