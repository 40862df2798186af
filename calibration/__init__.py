"""All that is prepared before play: decks and their checks, print sheets."""
