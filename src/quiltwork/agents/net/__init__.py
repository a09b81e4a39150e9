"""The small net: its features, its compiled forward pass and its weights."""
