"""What all rooms share: models, ports, errors, settings, JSON."""
