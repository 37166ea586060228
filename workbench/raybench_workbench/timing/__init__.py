"""What `raybench bench` measures of the window, each in a process of its own that prints JSON."""
