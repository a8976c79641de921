"""Tools and hooks of the bank desk: plain functions over the desk that they are given."""
