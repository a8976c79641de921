"""What the checker proves of a variant, one file a proof; none of them knows an operator."""
