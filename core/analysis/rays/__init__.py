"""Questions about traced rays, as functions from a result to rows or numbers."""
