"""The `Row` of a kind, and functions for its entries that several kinds share."""
