"""A photo's reading: judged by the rules, corrected, answered, put together again."""
