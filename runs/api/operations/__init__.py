"""What can be asked: each function is one operation, its name the operation's."""
