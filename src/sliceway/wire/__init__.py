"""What crosses an edge: models that refuse what they do not know, and the one codec for both ends of a wire."""
