"""What pictures, icons, formulas and attributes say, as text."""
