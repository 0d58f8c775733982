"""Images and videos: which entries list them, and what came back."""
