"""The class `Row`, and functions for its entries that several kinds of objects share."""
