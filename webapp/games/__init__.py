"""Games as they are played and remembered: rounds, market, score sheet, history."""
