"""The families of measures, each in a module of its own."""
