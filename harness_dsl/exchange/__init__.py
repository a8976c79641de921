"""Foreign formats: tool lists, benchmark items and skills to harness files, and harnesses to targets."""
