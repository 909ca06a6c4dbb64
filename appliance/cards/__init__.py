"""What a card says, and whether the house believes it: `uid` reads the number, `verdict` judges it."""
