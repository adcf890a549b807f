"""Numbers, money and measures as pages write them."""
