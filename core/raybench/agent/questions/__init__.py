"""Questions without a model: by example sentences with slots."""
