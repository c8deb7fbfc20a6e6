"""A client of the Moot protocol, written from Protocol.md alone, for attacking real nodes."""
