"""What the texts that a selector names stand for."""
