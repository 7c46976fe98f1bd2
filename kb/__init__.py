"""mtgkb: a rules knowledge base for Magic: The Gathering."""
