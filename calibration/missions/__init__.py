"""Simulated play of missions, to measure whether and how often they can be won.

The simulated player knows the table and all hands, since players may tell each other. It plans a path to
each group's goal over the cards on the table, cards in hand, and empty slots that may receive any card. It
lays the card that advances a plan, and draws a path once all its cards are on the table. The referee
checks each path.
"""
