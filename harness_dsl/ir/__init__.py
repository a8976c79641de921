"""The intermediate representation: `Core` (what a harness means) and `Surface` (how it is shown)."""
