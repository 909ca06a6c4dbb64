"""What is going on now: one number that counts what the public sees, and everybody who waits for it to grow."""
