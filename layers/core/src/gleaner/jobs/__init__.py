"""Jobs, pages, batches, strategies, aggregates and tokens in the table and the bucket."""
