"""The HTTP API (AP-1): shells over gleaner.service.gateway, the same in Lambda and in ``gleaner serve``."""
