"""How fast the program is on this machine: what ``raybench bench`` measures and prints."""
