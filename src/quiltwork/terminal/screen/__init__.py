"""The game full screen, on textual (the extra `terminal`)."""
