"""The programs and subcommands: wiring only, one module each."""

INTERMIXED = "intermixed"
"""The default that a subcommand's parser sets whose words and options may stand in any order."""
