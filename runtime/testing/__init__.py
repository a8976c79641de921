"""Running the tests that a harness declares, through the loop that serves."""
