"""Tools of the live-shop examples: plain functions over the room that they are given."""
