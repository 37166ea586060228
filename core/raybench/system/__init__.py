"""What touches the machine: processes, signals, files, folders, memory."""
