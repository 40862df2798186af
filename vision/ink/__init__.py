"""Ink: rectified cards, relighting, occlusion, pen colours, and the likelihood of ink per pixel."""
