"""Floods at line speed, and what they do to live messages, memory and disk. `scripts/flood` runs them."""
