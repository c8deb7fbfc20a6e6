"""Three real nodes on loopback, a browser for each of their users, and what runs stories in them."""
