"""The implementations of the ports; only wiring imports them."""
