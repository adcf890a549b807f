"""The state machine on this machine."""
