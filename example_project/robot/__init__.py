"""The robot under test."""
