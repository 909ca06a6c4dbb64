"""What is heard in the room: which cue when, and the waves of each. Pure: no sound card, no clock of its own."""
