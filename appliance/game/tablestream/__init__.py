"""The stream of a table: the inside of its hands, action by action where they are tracked, and the rulings made."""
