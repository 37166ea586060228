"""Running a trace: the rays of the sources, memory for rows, threads and their limits."""
