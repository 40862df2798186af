"""Tables on which several groups draw, each with a pen of its own."""
