"""The venues' devices: how they come to be known, what they may do, and how they cease to be."""
