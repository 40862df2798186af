"""Disputes about a ruling: counterfactuals and claims."""
