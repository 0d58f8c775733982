"""Page answers: bytes and headers → the row of the page."""
