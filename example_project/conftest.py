"""Registers what this robot brings along: its agent and a relation of its own."""

from robot import brain, viewpoint


def pytest_metaspace_register_agents(register):
    register(brain.SCOUT)


def pytest_metaspace_register_relations(register):
    register(viewpoint.RELATION)
