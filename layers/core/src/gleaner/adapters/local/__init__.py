"""The table and the blobs on this machine."""
