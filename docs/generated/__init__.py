"""The parts of the documentation that are made from definitions: ``make pages``."""
