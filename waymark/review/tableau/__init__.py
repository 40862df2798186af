"""Review of one player's tableau: assessment, questions, answers and corrections."""
