"""Review of a board photo: assessment, questions, answers, and the turn between two photos."""
