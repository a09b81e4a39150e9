"""The game in the terminal: two people, or a person and the computer, line by line."""
