"""Review: from a photo to an assessment by reading, refereeing, questions and corrections."""
