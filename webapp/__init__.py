"""The people's side: the `waymark` command, the explained picture, and the measurements. It computes no
rule."""
