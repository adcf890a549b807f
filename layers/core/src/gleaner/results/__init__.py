"""The outcomes of all chunks as one result, proven and certified; exports."""
