"""Attacks on real nodes. Each is a function of a `World` that says what harm it did."""
