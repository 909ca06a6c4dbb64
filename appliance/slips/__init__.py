"""What is printed for people to take along: contents without any printer."""
