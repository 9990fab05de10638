"""What a hostile model says, by the name it is asked under."""

REPLIES = {}
