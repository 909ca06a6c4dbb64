"""The chaos evening: a whole venue in network namespaces, on which everything is let loose (DESIGN §9).

See docs/developers.md, "The chaos evening".
"""
