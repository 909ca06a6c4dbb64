"""A virtual reader that tells of cards at once, and the rig to tap cards on it through a real pcscd."""
