"""An addition to Raybench."""
