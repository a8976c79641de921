"""Tools and hooks of the course tutor: plain functions over the course that they are given."""
