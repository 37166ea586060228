"""What functions take and return: compact signatures, JSON schemas, and the check of values against them."""
