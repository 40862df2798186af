"""Missions played out by a program, to see whether they can be won and how often.

The player knows what lies on the table and in the hands (players may tell each other). It plans a way for
each group's goal over the cards that lie, those in hand and slots that may hold anything yet; lays the card
that brings a plan on; draws a way as soon as every card of it lies. The referee has the last word on each.
"""
