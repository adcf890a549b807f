"""Values as pages write them: numbers, money, dates, units."""
