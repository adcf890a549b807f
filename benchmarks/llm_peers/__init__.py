"""Other tools that ask a model for records, beside Gleaner: one stand-in model, the same pages, the same six faults."""
