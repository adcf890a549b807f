"""What names a value in a container: selectors, labels, affixes and phrases, and how they are learned."""
