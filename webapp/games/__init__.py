"""Games in progress and finished: rounds, market, score sheet, history."""
