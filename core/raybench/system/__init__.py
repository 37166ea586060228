"""Access to the operating system: processes, signals, files, folders, memory."""
