"""The canvas: rays and objects, seen and handled."""
