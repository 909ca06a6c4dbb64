"""Results of rounds and the season's standings: all derived from the raw records, at any time again."""
