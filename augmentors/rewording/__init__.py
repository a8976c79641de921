"""Banks of other wordings: reading, checking, proposing, editing."""
