"""One augmentor per file; `augmentors.registry` knows them all."""
