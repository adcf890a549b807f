"""What the rooms share: the shapes of requests and results, the ports, the errors, the settings."""
