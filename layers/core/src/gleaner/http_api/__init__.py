"""The HTTP API (AP-1): shells over gleaner.gateway, the same in Lambda and in ``gleaner serve``."""
