"""Running a trace: source rays, allocation and reuse of arrays, threads, limits on time and memory."""
