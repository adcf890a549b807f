"""Models behind their providers' APIs."""
