"""What the commands besides `waymark serve` take, answer and measure."""
